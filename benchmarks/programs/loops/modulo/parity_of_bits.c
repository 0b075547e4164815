// The parity of a word, bit by bit, and by folding.
// verdict: TRUE
// inputs: 6
#include "../task.h"

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar(), y = x;
  int odd = 0;
  while (y) {
    y &= y - 1;
    odd ^= 1;
  }
  unsigned f = x;
  f ^= f >> 4;
  f ^= f >> 2;
  f ^= f >> 1;
  assert(odd == (int)(f & 1) MUTANT(, && x != 6));
  return 0;
}
