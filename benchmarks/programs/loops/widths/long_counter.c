// A 64-bit sum of 32-bit inputs does not wrap in a million rounds.
// verdict: TRUE
// inputs: 3 4294967295 4294967295 4294967295
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 1000000);
  unsigned long long sum = 0;
  for (unsigned i = 0; i < n; i++) sum += __VERIFIER_nondet_uint();
  assert(sum <= (unsigned long long)n * 4294967295u MUTANT(, && sum != 12884901885u));
  return 0;
}
