// Operations that are undefined for some values, each on its side of a simple branch.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar(), m = __VERIFIER_nondet_uchar() & 3;
  int d = 0, x, y, z;
  if (k & 1) d = 5;
  if (d)
    x = 100 / d;
  else
    x = 7;
  if (m)
    y = 60 / m % (m + 2);
  else
    y = 1 << m;
  if (k & 2)
    z = x << (y & 3);
  else
    z = x >> (d & 1);
  if (x == 7) {
    // expect: TRUE @+1
    assert(d == 0);
  }
  // expect: TRUE @+1
  assert(x <= 30);
  // expect: FALSE @+1
  assert(y != 2);
  // expect: FALSE @+1
  assert(z != 40);
  // expect: TRUE @+1
  assert(z != 80);
}
