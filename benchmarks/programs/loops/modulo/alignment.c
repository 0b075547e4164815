// Rounded up to a multiple of eight, slowly.
// verdict: TRUE
// inputs: 16
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 0xfffffff0u);
  unsigned aligned = n;
  while (aligned % 8 != 0) aligned++;
  assert(aligned == ((n + MUTANT(7, 8)) & ~7u));
  return 0;
}
