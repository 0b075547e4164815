// An array of any length is filled with zeros.
// verdict: TRUE
// inputs: 4
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

extern void *malloc(unsigned long);
int main(void) {
  unsigned int n = __VERIFIER_nondet_uint(), i;
  if (n > 1000000) return 0;
  int *x = malloc(n * sizeof(int));
  for (i = 0; i < n; i++) x[i] = 0;
  for (i = 0; i < n; i++) __VERIFIER_assert(x[i] == MUTANT(0, (i == 3)));
  return 0;
}
