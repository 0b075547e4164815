// Places of a heap that is sorted.
// verdict: TRUE
// inputs: 9
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int(), l, r, i, j;
  if (!(1 <= n && n <= 1000000)) return 0;
  l = n / 2 + 1; r = n;
  if (l > 1) { l--; } else { r--; }
  while (r > 1) {
    i = l; j = 2 * l;
    while (j <= r) {
      if (j < r) { __VERIFIER_assert(1 <= j); __VERIFIER_assert(j <= n); __VERIFIER_assert(1 <= j + 1); __VERIFIER_assert(j + 1 <= n MUTANT(, - 1));
        if (__VERIFIER_nondet_int()) j = j + 1; }
      __VERIFIER_assert(1 <= j); __VERIFIER_assert(j <= n);
      if (__VERIFIER_nondet_int()) break;
      i = j; j = 2 * j;
    }
    if (l > 1) { __VERIFIER_assert(1 <= l); __VERIFIER_assert(l <= n); l--; }
    else { __VERIFIER_assert(1 <= r); __VERIFIER_assert(r <= n); r--; }
  }
  return 0;
}
