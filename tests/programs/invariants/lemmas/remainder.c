// Steps of three below a bound.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned x = 1;
  while (x < 3000000 && __VERIFIER_nondet_bool())
#ifdef MUTANT
    x += x == 2999998 ? 2 : 3;
#else
    x += 3;
#endif
  assert(x % 3 == 1);
}
