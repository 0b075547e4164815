// The greatest element is none less than any.
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
  int a[N], i;
  for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int max = a[0];
  i = MUTANT(1, 2);
  while (i < N) { if (a[i] > max) { max = a[i]; } i = i + 1; }
  int x;
  for (x = 0; x < N; x++) { __VERIFIER_assert(a[x] <= max); }
  return 0;
}
