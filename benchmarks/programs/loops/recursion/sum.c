// The sum of n numbers, by recursion.
// verdict: TRUE
// inputs: 10
#include "../task.h"

static unsigned sum(unsigned n) { return n == 0 ? 0 : MUTANT(n, n + (n == 10)) + sum(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 30);
  assert(2 * sum(n) == n * (n + 1));
  return 0;
}
