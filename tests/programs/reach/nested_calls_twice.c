// A loop in a function that a loop calls twice: what was read at the start of the round is not what it is now.
// chains: yes
#include "../verify/verifier.h"

static int count, changed, same;

static void look(int counting, int old) {
  for (int i = 0; i < 3; i++) {
    if (counting) {
      if (count != old) changed++;
      count++;
    } else if (count == old) {
      same++;
    }
  }
}

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  count = __VERIFIER_nondet_int();
  for (int i = 0; i < rounds && i < 3; i++) {
    look(0, 5);
    int old = count;
    look(1, old);
  }
  // reach: REACHED label twice
  if (changed == 2) { twice: return 1; }
  // reach: UNREACHABLE label thrice
  if (changed == 3) { thrice: return 2; }
  return 0;
}
