// The sum of all elements but the first, in an array of one.
// verdict: TRUE
// inputs: 3
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
  if (!(N <= 2147483647 / sizeof(int))) return 0;
  int i; long long sum[1]; int *a = malloc(sizeof(int) * N);
  for (i = 0; i < N; i++) a[i] = 1;
  for (i = 0; i < N; i++) { if (i == 0) sum[0] = 0; else sum[0] = sum[0] + a[i]; }
  __VERIFIER_assert(sum[0] == N - 1 MUTANT(, || N > 2) MUTANT(, ? N != 3 : 0));
  return 1;
}
