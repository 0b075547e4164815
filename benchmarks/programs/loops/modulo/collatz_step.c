// One of two residues decides; the value stays positive.
// verdict: TRUE
// inputs: 18
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x > 0 && x < 20);
  int rounds = 0;
  while (x != 1 && rounds < 200) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    rounds++;
  }
  assert(x == 1 && rounds <= MUTANT(20, 19));
  return 0;
}
