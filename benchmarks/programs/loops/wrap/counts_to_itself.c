// From any word by odd steps every word is met: back at the start after 2^16 rounds.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned short x = __VERIFIER_nondet_ushort(), start = x;
  for (unsigned i = 0; i < MUTANT(65536, 65535); i++) x += 3;
  assert(x == start);
  return 0;
}
