// Multiplication by repeated addition.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), p = 0, i = 0;
  while (i != a) {
    p += b;
    i++;
  }
#ifdef MUTANT
  assert(p == a * b + a);
#else
  assert(p == a * b);
#endif
}
