// The number of bits that are set, both ways.
// verdict: TRUE
// inputs: 65535
#include "../task.h"

int main(void) {
  unsigned short x = __VERIFIER_nondet_ushort();
  int by_shift = 0, by_mask = 0;
  for (unsigned y = x; y; y >>= 1) by_shift += y & 1;
  for (unsigned y = x; y; y &= y - 1) by_mask++;
  assert(by_shift == by_mask && by_mask <= MUTANT(16, 15));
  return 0;
}
