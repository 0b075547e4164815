// A switch in a loop whose cases fall through.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int digits = 0;
  for (int i = 0; i < 3; i++) {
    switch (i + __VERIFIER_nondet_int()) {
      case 1: digits += 1;
      case 2: digits += 10;
      case 3: digits += 100; break;
      default: break;
    }
  }
  // reach: REACHED label fallen
  if (digits == 321) { fallen: return 1; }
  // reach: UNREACHABLE label risen
  if (digits == 122) { risen: return 2; }
  return 0;
}
