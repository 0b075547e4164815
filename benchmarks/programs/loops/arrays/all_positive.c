// A flag says whether all elements are positive.
// verdict: TRUE
// inputs: 2 1 1
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int(), i, ok = 1;
  if (n < 1 || n > 10000) return 0;
  int *p = __builtin_alloca(n * sizeof(int));
  for (i = 0; i < n; i++) p[i] = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++) if (p[i] <= 0) ok = 0;
  if (ok) for (i = 0; i < n; i++) __VERIFIER_assert(p[i] > MUTANT(0, 1));
}
