// The step is chosen by an input before the loop; both are even.
// verdict: TRUE
// inputs: 0 5
#include "../task.h"

int main(void) {
  unsigned step = __VERIFIER_nondet_bool() ? 4 : MUTANT(6, 5);
  unsigned n = __VERIFIER_nondet_uint(), total = 8;
  for (unsigned i = 0; i < n; i++) total += step;
  assert((total & 1) == 0);
  return 0;
}
