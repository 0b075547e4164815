// while (n-- > 0): behind the loop the counter has wrapped.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), rounds = 0, start = n;
  while (n-- > 0) rounds++;
  assert(n == 0xffffffffu);
  assert(rounds == start MUTANT(, - (start == 3)));
  return 0;
}
