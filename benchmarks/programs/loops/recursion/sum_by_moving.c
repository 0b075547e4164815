// One number is moved to the other.
// verdict: TRUE
// inputs: 3 4
#include "../task.h"

int sum(int n, int m) { if (n <= 0) return m + n; else return sum(n - 1, m + 1); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > 100000000 || b > 100000000 || a < -100000000 || b < -100000000) return 0;
  int result = sum(a, b);
  if (result != a + b MUTANT(, || result == 7)) { ERROR: { reach_error(); } }
}
