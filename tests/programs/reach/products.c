// Factors: odd ones, even ones that run out of bits, signs that change.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  unsigned three = 1, two = 1;
  unsigned char five = 1;
  int sign = 5, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 40) return 0;
  for (int i = 0; i < n; i++) {
    three *= 3;
    two *= 2;
    five *= 5;
    sign = -sign;
  }
  // reach: REACHED label large
  if (three == 3486784401u) { large: return 1; }
  // reach: REACHED label gone
  if (two == 0) { gone: return 2; }
  // reach: REACHED label narrow
  if (five == 185 && n > 9) { narrow: return 3; }
  // reach: UNREACHABLE label even
  if (five == 184) { even: return 4; }
  // reach: REACHED label negative
  if (sign == -5 && n > 2) { negative: return 5; }
  // reach: UNREACHABLE label zero
  if (sign == 0) { zero: return 6; }
  return 0;
}
