// The least element is none greater than any.
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
  int a[N], i = 0;
  while (i < N) { a[i] = __VERIFIER_nondet_int(); i++; }
  int min = a[0];
  i = 1;
  while (i < N) { if (a[i] < min) min = a[i]; i = i + 1; }
  for (int x = 0; x < N; x++) { __VERIFIER_assert(a[x] MUTANT(>=, >) min); }
}
