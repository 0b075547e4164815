// Two counters that move together, or not at all.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), left = n;
#ifdef WRAPS
  unsigned short i = 0;
#else
  unsigned long i = 0;
#endif
  unsigned long j = 7;
  while (left > 0) {
    left--;
    if (__VERIFIER_nondet_bool()) continue;
    i++;
    j += 3;
#ifdef MUTANT
    if (i == 4) j++;
#endif
  }
  assert(j == 7 + 3 * (unsigned long)i);
}
