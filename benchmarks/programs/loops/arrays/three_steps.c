// Elements are computed in three loops.
// verdict: TRUE
// inputs: 4
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

extern void *malloc(unsigned long);
int N;
int main(void) {
  N = __VERIFIER_nondet_int();
  if (N <= 0) return 1;
  if (!(N <= 100000)) return 0;
  int i; int *a = malloc(sizeof(int) * N); int *b = malloc(sizeof(int) * N);
  for (i = 0; i < N; i++) b[i] = i;
  for (i = 0; i < N; i++) a[i] = b[i] + 2;
  for (i = 0; i < N; i++) a[i] = a[i] * 3;
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] == 3 * (i + 2) MUTANT(, + (i == 3)));
}
