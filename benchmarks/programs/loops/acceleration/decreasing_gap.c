// A gap that is halved each round closes.
// verdict: TRUE
// inputs: 7
#include "../task.h"

int main(void) {
  int gap = __VERIFIER_nondet_int();
  __VERIFIER_assume(gap > 0);
  int rounds = 0;
  while (gap > 0) {
    gap = gap / 2;
    rounds++;
  }
  assert(rounds >= 1 && rounds <= 31 MUTANT(, && rounds != 3));
  return 0;
}
