// Two arrays exchange their elements.
// verdict: TRUE
// inputs: 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define N 1000
int main(void) {
  int a[N], b[N], i, tmp; int ca[N];
  for (i = 0; i < N; i++) { a[i] = __VERIFIER_nondet_int(); ca[i] = a[i]; }
  for (i = 0; i < N; i++) { b[i] = 7; }
  for (i = 0; i < N; i++) { tmp = a[i]; a[i] = b[i]; b[i] = tmp; }
  for (i = 0; i < N; i++) { __VERIFIER_assert(b[i] == ca[i]); __VERIFIER_assert(a[i] == MUTANT(7, 7 + (i > 998))); }
}
