// One pass of bubble sort moves the greatest element to the end.
// verdict: TRUE
// inputs: 3 2 1
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define N 10000
int main(void) {
  int a[N], i, t;
  for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < N - 1; i++) { if (a[i] > a[i + 1]) { t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; } }
  for (i = 0; i < N - 1; i++) __VERIFIER_assert(a[i] <= a[N - 1] MUTANT(, && a[0] <= a[1]));
}
