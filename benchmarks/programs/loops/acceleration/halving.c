// Halving a word: at most 31 rounds to one.
// verdict: TRUE
// inputs: 2147483648
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int rounds = 0;
  while (x > 1) {
    x /= 2;
    rounds++;
  }
  assert(rounds <= MUTANT(31, 30));
  return 0;
}
