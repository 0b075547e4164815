// Both ways add the same to all elements.
// verdict: TRUE
// inputs: 6
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

extern void *malloc(unsigned long);
int main(void) {
  int N = __VERIFIER_nondet_int(), i;
  if (N <= 0 || N > 100000) return 1;
  int *a = malloc(sizeof(int) * N);
  for (i = 0; i < N; i++) a[i] = 0;
  for (i = 0; i < N; i++) { if (N % 2 == 0) a[i] = a[i] + 2; else a[i] = a[i] + MUTANT(2, 3); }
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] % 2 == 0 && N != MUTANT(0, 6));
}
