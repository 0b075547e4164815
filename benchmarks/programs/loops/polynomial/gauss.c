// The sum of the first n numbers.
// verdict: TRUE
// inputs: 6
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 60000);
  unsigned s = 0;
  for (unsigned i = MUTANT(1, 2); i <= n; i++) s += i;
  assert(2 * s == n * (n + 1));
  return 0;
}
