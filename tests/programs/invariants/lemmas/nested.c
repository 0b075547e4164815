// A counter in two loops.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint(), c = 0, i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      c++;
#ifdef MUTANT
  assert(c == n * m + n / 1000);
#else
  assert(c == n * m);
#endif
}
