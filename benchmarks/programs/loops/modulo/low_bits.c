// Steps of 16 leave the low four bits.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), address = 0x1238;
  for (unsigned i = 0; i < n; i++) address += MUTANT(16, i == 2 ? 24 : 16);
  assert((address & 15) == 8);
  return 0;
}
