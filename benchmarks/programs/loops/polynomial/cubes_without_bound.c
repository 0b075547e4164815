// Sums of powers modulo 2^32: no bound, no overflow error.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) s += 2 * i + 1;
  assert(s == n * n MUTANT(, - (n == 3)));
  return 0;
}
