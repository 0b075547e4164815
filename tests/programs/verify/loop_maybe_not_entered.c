// What a loop writes is as before if it is not entered.
// verdict: FALSE
#include "verifier.h"

static int g, h[4];

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() & 3;
  g = 1;
  h[2] = 5;
  for (unsigned i = 0; i < n; i++) {
    g = 2;
    h[i] = 9;
  }
  if (g == 1)
    // expect: TRUE @+1
    assert(n == 0);
  else
    // expect: TRUE @+1
    assert(n != 0);
  // expect: FALSE @+1
  assert(g == 2);
  // expect: FALSE @+1
  assert(h[2] == 5);
  // expect: TRUE @+1
  assert(h[3] == 0);
}
