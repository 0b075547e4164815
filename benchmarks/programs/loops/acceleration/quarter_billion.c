// 2^28 rounds by steps of two end exactly at the bound, by steps of three they do not.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned i = 0;
  while (i < 0x10000000u) i += MUTANT(2, 3);
  assert(i == 0x10000000u);
  return 0;
}
