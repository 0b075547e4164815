// What a search has found is at the place that it gives.
// verdict: TRUE
// inputs: 3 1 2 3 2
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 100000) return 0;
  int a[n]; unsigned i; int q, r = -1;
  for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  q = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++) { if (a[i] == q) { r = i; break; } }
  __VERIFIER_assert(r == -1 || a[r] == q MUTANT(, && r != 1));
}
