// Inner loops begin at any positive number.
// verdict: TRUE
// inputs: 5 1 1
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int i, j, k, n = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
  if (!(l > 0)) return 0;
  if (!(l < 1000000)) return 0;
  if (!(n < 1000000)) return 0;
  for (k = 1; k < n; k++) {
    if (__VERIFIER_nondet_int()) {
      for (i = l; i < n; i++) { __VERIFIER_assert(MUTANT(1 <= i, 2 <= i)); }
    }
    for (i = l; i < n; i++) { __VERIFIER_assert(1 <= i); }
  }
}
