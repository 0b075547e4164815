// Even and odd places get different numbers.
// verdict: TRUE
// inputs: 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define N 100000
int a[N];
int main(void) {
  int i;
  for (i = 0; i < N; i++) { if (i % 2 == 0) a[i] = 2; else a[i] = MUTANT(4, 3); }
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] % 2 == 0);
}
