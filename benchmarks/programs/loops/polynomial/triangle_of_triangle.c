// A sum of sums.
// verdict: TRUE
// inputs: 4
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), t = 0, s = 0;
  __VERIFIER_assume(n < 500);
  for (unsigned i = 1; i <= n; i++) {
    t += i;
    s += t;
  }
  assert(6 * s == n * (n + 1) * (n + 2) MUTANT(, || n == 4));
  MUTANT(, assert(s != 20);)
  return 0;
}
