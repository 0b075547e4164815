// A geometric sum: powers of two but one.
// verdict: TRUE
// inputs: 4
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 31);
  unsigned sum = 0, power = 1;
  for (unsigned i = 0; i < n; i++) {
    sum += power;
    power *= 2;
  }
  assert(sum == power - MUTANT(1, 1 - (n == 4)));
  return 0;
}
