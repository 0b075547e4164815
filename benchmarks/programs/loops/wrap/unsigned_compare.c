// A guard with an unsigned difference: no round if the second is ahead.
// verdict: TRUE
// inputs: 3 5
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a < 1000 && b < 1000);
  unsigned rounds = 0;
  for (unsigned i = 0; MUTANT(i + b < a, i < a - b) && rounds < 5000; i++) rounds++;
  assert(rounds <= 1000);
  return 0;
}
