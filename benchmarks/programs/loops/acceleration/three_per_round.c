// A sum that is a multiple of the number of rounds.
// verdict: TRUE
// inputs: 99999
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 1000000);
  unsigned sum = 0, i;
  for (i = 0; i < n; i++) sum += 3;
  assert(MUTANT(sum == 3 * n, sum != 299997));
  return 0;
}
