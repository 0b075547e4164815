// Chains that can be executed only before, or after, others; one that can be executed only once.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int early = 0, late = 0, done = 0, cost = 0;
  for (int i = 0; i < 6; i++) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) {
      if (late > 0) return 0;
      early++;
    } else {
      if (early < 2) return 0;
      late++;
    }
    if (!done && x == 3) {
      done = 1;
      cost += 100;
    } else {
      cost++;
    }
  }
  // reach: REACHED label two
  if (early == 2 && late == 4) { two: return 1; }
  // reach: UNREACHABLE label one
  if (early == 1) { one: return 2; }
  // reach: REACHED label once
  if (cost == 105) { once: return 3; }
  // reach: UNREACHABLE label again
  if (cost == 204) { again: return 4; }
  return 0;
}
