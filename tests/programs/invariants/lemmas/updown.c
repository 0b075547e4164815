// Up in one loop, down in the next.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, k = 0, s = 0;
  while (i < n) { i++; k += 2; s += k; }
  unsigned j = n;
  while (j > 0) { s -= k; k -= 2; j--; }
  assert(k == 0);
#ifdef MUTANT
  assert(s != 0);
#else
  assert(s == 0);
#endif
}
