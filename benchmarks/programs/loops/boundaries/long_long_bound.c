// The bound needs more than 32 bits, the counter too.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned long long bound = 5000000000ULL, i = 0, step = __VERIFIER_nondet_uint();
  __VERIFIER_assume(step == 1000000000 || step == 3);
  while (i < bound) i += step;
  assert(i == bound || step == MUTANT(3, 1));
  return 0;
}
