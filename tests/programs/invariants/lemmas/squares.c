// Odd numbers add up to squares, whatever wraps around.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0, i = 0;
  while (i < n) {
    s += 2 * i + 1;
    i++;
  }
#ifdef MUTANT
  assert(s == n * n + 1);
#else
  assert(s == n * n);
#endif
}
