// A loop that ends with equality, and its rounds are counted.
// verdict: TRUE
// inputs: -3 4
#include "../task.h"

int main(void) {
  int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
  if (from > to || from < -1000000 || to > 1000000) return 0;
  int rounds = 0, at = from;
  while (at != to) {
    at++;
    rounds++;
  }
  assert(rounds == MUTANT(to - from, from - to));
  return 0;
}
