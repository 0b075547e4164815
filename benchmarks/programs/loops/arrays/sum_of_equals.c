// The sum of as many elements as each of them says.
// verdict: TRUE
// inputs: 5
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
  if (N <= 0 || N > 10000) return 1;
  int i, s = 0; int *a = malloc(sizeof(int) * N);
  for (i = 0; i < N; i++) a[i] = N;
  for (i = 0; i < N; i++) s += a[i];
  __VERIFIER_assert(s == N * N MUTANT(, && s != 25));
}
