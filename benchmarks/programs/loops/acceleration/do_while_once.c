// A do loop makes one round at least.
// verdict: TRUE
// inputs: 0
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), rounds = 0;
  do {
    rounds++;
    if (n > 0) n--;
  } while (n > 0);
  assert(MUTANT(rounds >= 1, rounds != 1));
  return 0;
}
