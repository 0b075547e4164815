// A number that is doubled until it reaches an input is a power of two.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 1u << 20);
  unsigned p = 1;
  while (p < n) p = MUTANT(p * 2, p + p + 1);
  assert((p & (p - 1)) == 0);
  return 0;
}
