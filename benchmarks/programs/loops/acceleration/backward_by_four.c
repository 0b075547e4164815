// Pointers' favourite: down from a multiple of four by fours, to zero exactly.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 0x10000000u);
  unsigned left = n * 4 + MUTANT(0, 1);
  while (left >= 4) left -= 4;
  assert(left == 0);
  return 0;
}
