// Long division of bytes, bit by bit.
// verdict: TRUE
// inputs: 100 9
#include "../task.h"

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (b == 0) return 0;
  unsigned q = 0, r = 0;
  for (int i = 7; i >= 0; i--) {
    r = r << 1 | (a >> i & 1);
    q <<= 1;
    if (r >= b) {
      r -= b;
      q |= 1;
    }
  }
  assert(q * b + r == a && r < b MUTANT(, && q != 11));
  return 0;
}
