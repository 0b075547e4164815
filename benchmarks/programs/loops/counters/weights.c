// Weighted counters: the total is bounded by the largest weight.
// verdict: TRUE
// inputs: 2 2 2
#include "../task.h"

int main(void) {
  unsigned total = 0, i;
  for (i = 0; i < 100000; i++) {
    unsigned e = __VERIFIER_nondet_uint();
    switch (e % 4) {
      case 0: total += 1; break;
      case 1: total += 4; break;
      case 2: total += MUTANT(7, 8); break;
      default: break;
    }
    assert(total <= 7 * (i + 1));
  }
  return 0;
}
