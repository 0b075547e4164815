// Loop variables of 8, 16, 37, 64 and 128 bits, and in bit-fields.
#include "../verify/verifier.h"

struct fields {
  unsigned low : 3, high : 5;
  int rest : 7;
} fields;

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  signed char byte = 100;
  short half = 32760;
  unsigned _BitInt(37) odd = 1;
  unsigned long word = 0;
  unsigned __int128 wide = 1;
  if (n > 40) return 0;
  for (unsigned i = 0; i < n; i++) {
    byte += 3;
    half += 3;
    odd += odd;
    word += 0x4000000000000000;
    wide <<= 4;
    fields.low++;
    fields.high += 3;
    fields.rest--;
  }
  // reach: REACHED label byte
  if (byte == -126) { byte: return 1; }
  // reach: REACHED label half
  if (half == -32764) { half: return 2; }
  // reach: REACHED label odd
  if (odd == 0 && n == 38) { odd: return 3; }
  // reach: REACHED label word
  if (word == 0x8000000000000000 && n == 6) { word: return 4; }
  // reach: REACHED label wide
  if ((unsigned)(wide >> 64) == 256) { wide: return 5; }
  // reach: REACHED label fields
  if (fields.low == 2 && fields.high == 14 && fields.rest == -26) { fields: return 6; }
  // reach: UNREACHABLE label rest
  if (fields.low == 2 && fields.high == 29) { rest: return 7; }
  return 0;
}
