// Euclid by subtraction: both stay positive, and neither grows.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned a0 = __VERIFIER_nondet_uint(), b0 = __VERIFIER_nondet_uint();
#ifndef WRAPS
  if (a0 == 0 || b0 == 0) return 0;
#endif
  unsigned a = a0, b = b0;
  while (a != b) {
#ifdef MUTANT
    if (a >= 3)
#elif defined WRAPS
    if (a > 2)
#else
    if (a > b)
#endif
      a -= b;
    else
      b -= a;
    assert(a >= 1 && a <= a0);
    assert(b >= 1 && b <= b0);
  }
}
