// An unsigned counter that wraps around: x + y == n is true modulo 2^8 only, and said to be.
// says: x + y == y@entry (mod 2^8)
#include "../verifier.h"

int main(void) {
  unsigned char x = 0, y = __VERIFIER_nondet_uchar();
  while (__VERIFIER_nondet_bool()) {
    x += 3;
    y -= 3;
  }
  return x < y;
}
