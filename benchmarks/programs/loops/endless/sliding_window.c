// A sender with a window of three.
// verdict: TRUE
// inputs: 1 1 1 1
#include "../task.h"

int main(void) {
  unsigned next = 0, acknowledged = 0;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e == 1 && next - acknowledged MUTANT(<, <=) 3) next++;
    if (e == 2 && acknowledged != next) acknowledged++;
    assert(next - acknowledged <= 3);
  }
}
