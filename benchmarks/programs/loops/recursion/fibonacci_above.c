// Fibonacci numbers are not much less than their place.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int fibonacci(int n) { if (n < 1) return 0; else if (n == 1) return 1; else return fibonacci(n - 1) + fibonacci(n - 2); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 46 || x == -2147483648) return 0;
  int result = fibonacci(x);
  if (result >= x - MUTANT(1, 0)) return 0;
  ERROR: { reach_error(); }
}
