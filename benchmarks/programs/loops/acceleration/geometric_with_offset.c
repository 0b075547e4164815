// x becomes 2x + 1: all ones in binary.
// verdict: TRUE
// inputs: 6
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0;
  __VERIFIER_assume(n <= 40);
  for (unsigned i = 0; i < n; i++) x = 2 * x + 1;
  assert((x & (x + 1)) == 0);
  MUTANT(, assert(x != 63);)
  return 0;
}
