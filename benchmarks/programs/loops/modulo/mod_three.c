// The residue by counting and by the operator.
// verdict: TRUE
// inputs: 1000
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), r = 0;
  for (unsigned i = 0; i < n; i++) {
    r++;
    if (r == 3) r = 0;
  }
  assert(r == n % 3 MUTANT(, && n != 1000));
  return 0;
}
