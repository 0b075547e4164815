// continue and break inside of a switch mean different loops.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

int main(void) {
  int seen = 0, skipped = 0, rounds = 0;
  for (; rounds < 100000; rounds++) {
    switch (__VERIFIER_nondet_int()) {
      case 0: goto out;
      case 1: skipped++; continue;
      case 2: break;
      default: continue;
    }
    seen++;
  }
out:
  assert(seen + skipped <= rounds MUTANT(, - 1 || rounds == 0));
  return 0;
}
