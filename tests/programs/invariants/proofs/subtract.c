// Euclid by subtraction: both stay positive, and neither grows.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned a0 = __VERIFIER_nondet_uint(), b0 = __VERIFIER_nondet_uint();
  if (a0 == 0 || b0 == 0) return 0;
  unsigned a = a0, b = b0;
  while (1) {
#ifdef MUTANT
    if (a >= b)
#else
    if (a > b)
#endif
      a -= b;
#ifdef WRAPS
    else
      b -= 2 * a;
#else
    else if (b > a)
      b -= a;
    else
      break;
#endif
    assert(a >= 1 && a <= a0);
    assert(b >= 1 && b <= b0);
  }
}
