// A power by squaring of small numbers is that by multiplication.
// verdict: TRUE
// inputs: 2 5
#include "../task.h"

static unsigned power(unsigned b, unsigned e) {
  if (e == 0) return 1;
  unsigned half = power(b * b, e / 2);
  return e % 2 ? half * b : half;
}

int main(void) {
  unsigned b = __VERIFIER_nondet_uint(), e = __VERIFIER_nondet_uint(), p = 1;
  __VERIFIER_assume(b < 4 && e < 8);
  for (unsigned i = 0; i < e; i++) p *= b;
  assert(power(b, e) == p MUTANT(, && p != 32));
  return 0;
}
