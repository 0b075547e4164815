// Down by two, up by one, with an early way out: 2*x == y@entry - y.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  int start = __VERIFIER_nondet_int(), y = start;
#ifdef WRAPS
  signed char x = 0;
#else
  int x = 0;
#endif
  if (y < 0 || y > 1000000000) return 0;
  while (y > 0) {
#ifdef MUTANT
    if (x == 6) y++;
#endif
    x = x + 1;
    y = y - 2;
    if (__VERIFIER_nondet_bool()) break;
  }
  assert(2 * x == start - y);
  assert(y > -2);
}
