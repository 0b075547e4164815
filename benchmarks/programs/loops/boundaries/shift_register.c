// A shift register of eight bits: the top bit leaves.
// verdict: TRUE
// inputs: 1*8
#include "../task.h"

int main(void) {
  unsigned r = 0;
  while (1) {
    r = (r << 1 | __VERIFIER_nondet_bool()) & 0xff;
    assert(r < MUTANT(256, 255));
  }
}
