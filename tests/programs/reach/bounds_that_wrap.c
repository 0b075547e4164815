// Loops whose bounds wrap, so that they end at once, or go on where they look finished.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int m = __VERIFIER_nondet_int(), few = 0, many = 0, cut = 0;
  unsigned char narrow = m;
  for (unsigned i = n; i < n + 3; i++) few++;
  for (unsigned i = 0; i < (unsigned)m && many < 9; i++) many++;
  for (int i = 0; i < narrow && i < 4; i++) cut++;
  // reach: REACHED label none
  if (few == 0) { none: return 1; }
  // reach: UNREACHABLE label one
  if (few == 1) { one: return 2; }
  // reach: REACHED label negative
  if (many == 9 && m < 0) { negative: return 3; }
  // reach: REACHED label narrow
  if (cut == 3 && m > 1000) { narrow: return 4; }
  return 0;
}
