// Fibonacci numbers are not below their index from the fifth on.
// verdict: TRUE
// inputs: 4
#include "../task.h"

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= MUTANT(5, 4) && n <= 10);
  assert(fib(n) >= n);
  return 0;
}
