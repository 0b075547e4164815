// A signed and an unsigned number in one comparison: minus one is large.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 1000);
  int i, rounds = 0;
  for (i = (int)n; i MUTANT(> 0, > -1u + 1u - 1u); i--) rounds++;
  assert(rounds == (int)n);
  return 0;
}
