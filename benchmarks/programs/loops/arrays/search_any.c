// What lies before the place that a search ends at is something else.
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
  int a[N], i;
  for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int e = __VERIFIER_nondet_int();
  i = 0;
  while (i < N && a[i] != e) { i = i + 1; }
  for (int x = 0; x < i MUTANT(, + (i < N)); x++) { __VERIFIER_assert(a[x] != e); }
  return 0;
}
