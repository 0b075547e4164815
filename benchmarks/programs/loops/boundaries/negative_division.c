// Halving negative numbers goes towards zero, shifting them does not.
// verdict: TRUE
// inputs: -5
#include "../task.h"

int main(void) {
  int v = __VERIFIER_nondet_int();
  __VERIFIER_assume(v < 0);
  int rounds = 0;
  while (MUTANT(v != 0, v != -1) && rounds < 40) {
    v = v / 2;
    rounds++;
  }
  assert(rounds <= 32 && v MUTANT(== 0, != -1));
  return 0;
}
