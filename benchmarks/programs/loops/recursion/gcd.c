// Euclid by recursion: the result is not above the smaller one.
// verdict: TRUE
// inputs: 6 6
#include "../task.h"

static unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() % 20, b = __VERIFIER_nondet_uchar() % 20;
  if (a == 0 || b == 0) return 0;
  unsigned g = gcd(a, b);
  assert(g >= 1 && g MUTANT(<=, <) a && g <= b);
  return 0;
}
