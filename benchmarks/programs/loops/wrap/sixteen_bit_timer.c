// A 16-bit timer and its software extension.
// verdict: TRUE
// inputs: 1
#include "../task.h"

int main(void) {
  unsigned ticks = __VERIFIER_nondet_uint(), high = 0;
  unsigned short low = 0;
  __VERIFIER_assume(ticks < 0x1000000);
  for (unsigned t = 0; t < ticks; t++) {
    low++;
    if (low == MUTANT(0, 1)) high++;
  }
  assert(high * 65536 + low == ticks);
  return 0;
}
