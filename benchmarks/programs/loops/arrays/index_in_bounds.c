// Accesses within bounds, for any length.
// verdict: TRUE
// inputs: 64
// check: memory
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int a[64];
  if (n > 64) return 0;
  for (unsigned i = 0; i MUTANT(<, <=) n; i++) a[i] = 0;
  return 0;
}
