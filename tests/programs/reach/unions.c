// Cells of different sizes that lie over each other, written in turn.
// chains: yes
#include "../verify/verifier.h"

union {
  unsigned word;
  unsigned short halves[2];
  unsigned char bytes[4];
} both;

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n && i < 4; i++) {
    both.bytes[1]++;
    both.word += 3;
    if (both.halves[0] == 0x0206) both.halves[1] = 7;
  }
  // reach: REACHED label four
  if (both.word == 0x7040c) { four: return 1; }
  // reach: REACHED label one
  if (both.word == 0x103) { one: return 2; }
  // reach: UNREACHABLE label low
  if (both.word == 0x40c) { low: return 3; }
  return 0;
}
