// The sum of the first numbers, modulo 2^32.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0, i;
  for (i = 0; i < n; i++)
    s += i;
#ifdef MUTANT
  assert(2 * s == n * (n + 1));
#else
  assert(2 * s == n * (n - 1));
#endif
}
