// Steps of two, any number of them.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_bool()) {
    x += 2;
#ifdef MUTANT
    if (x == 100) x--;
#endif
  }
  assert(x % 2 == 0);
}
