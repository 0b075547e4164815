// Lock step with wrap-around.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar(), x = n, y = 0, z = 7;
  while (__VERIFIER_nondet_bool()) {
    x -= 3;
    y += 3;
    z += 9;
  }
  assert((unsigned char)(x + y) == n);
#ifdef MUTANT
  assert((unsigned char)(3 * y + 7) != 200);
#else
  assert((unsigned char)(3 * y + 7) == z);
#endif
}
