// An index that goes around a ring of eight by threes.
// verdict: TRUE
// inputs: 1 1 1 1 1 1
#include "../task.h"

int main(void) {
  int at = 0, ring[8] = {0};
  while (__VERIFIER_nondet_bool()) {
    at = (at + 3) % 8;
    assert(at >= 0 && at < 8 MUTANT(, - 1));
    ring[at] = 1;
  }
  return 0;
}
