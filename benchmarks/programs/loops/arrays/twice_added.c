// An inner loop adds to every element.
// verdict: TRUE
// inputs: 3
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

extern void *malloc(unsigned long);
int main(void) {
  int N = __VERIFIER_nondet_int(), i, j;
  if (N <= 0 || N > 1000) return 1;
  int *a = malloc(sizeof(int) * N);
  for (i = 0; i < N; i++) a[i] = 0;
  for (i = 0; i < N; i++) for (j = 0; j < 2; j++) a[i] = a[i] + 1;
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] == MUTANT(2, 2 + (i == 2)));
}
