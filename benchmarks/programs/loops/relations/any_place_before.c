// Any place that was passed is before the end.
// verdict: TRUE
// inputs: 5 1 1 1 1 1
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int x = 0, m = 0, n = __VERIFIER_nondet_int();
  while (x < n) { if (__VERIFIER_nondet_int()) m = x; x = x + 1; }
  __VERIFIER_assert(m >= 0 || n <= 0);
  __VERIFIER_assert(m < n MUTANT(, - 1) || n <= 0);
  return 0;
}
