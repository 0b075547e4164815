// A number grows tenfold as long as it fits.
// verdict: TRUE
// inputs: 9
#include "../task.h"

int main(void) {
  unsigned k = __VERIFIER_nondet_uint(), p = 1;
  __VERIFIER_assume(k <= 9);
  for (unsigned i = 0; i < k; i++) p *= 10;
  assert(p % 10 == 0 || k == 0);
  assert(p <= MUTANT(1000000000u, 999999999u));
  return 0;
}
