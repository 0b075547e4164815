// Bits leave at the top, then the value stays zero.
// verdict: TRUE
// inputs: 7
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), rounds = 0;
  while (x != 0) {
    x <<= 1;
    rounds++;
  }
  assert(rounds <= 32 MUTANT(, - 1));
  return 0;
}
