// Quotients are rounded towards zero, remainders have the sign of the dividend.
// says: -4 <= r <= 4
// says: -3 <= q <= 3
#include "../verifier.h"

int main(void) {
  signed char x = __VERIFIER_nondet_uchar() & 31, q = 0, r = 0;
  for (int i = 0; i < 100; i++) {
    x = (signed char)(i % 2 ? -x : x);
    if (x < -17 || x > 17) return 1;
    q = x / 5;
    r = x % 5;
    if (q == 2) i++;
  }
  return q + r;
}
