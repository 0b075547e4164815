// A flag says whether two arrays are equal.
// verdict: TRUE
// inputs: 1 2
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define N 1000
int main(void) {
  int a[N], b[N], i, rv = 1;
  for (i = 0; i < N; i++) { a[i] = __VERIFIER_nondet_int(); b[i] = __VERIFIER_nondet_int(); }
  i = 0;
  while (i < N) { if (a[i] != b[i]) { rv = MUTANT(0, i == 0); } i = i + 1; }
  if (rv) { for (int x = 0; x < N; x++) __VERIFIER_assert(a[x] == b[x]); }
  return 0;
}
