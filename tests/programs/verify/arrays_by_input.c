// Which array is written, and where in it, is for inputs to say.
// verdict: FALSE
#include "verifier.h"

static int t[4] = {1, 2, 3, 4}, u[4], *rows[2];

int main(void) {
  unsigned char i = __VERIFIER_nondet_uchar() & 3, j = __VERIFIER_nondet_uchar() & 3, k = __VERIFIER_nondet_bool();
  rows[0] = t;
  rows[1] = u;
  t[i] = 9;
  rows[k][j] = 7;
  if (t[j] == 9) {
    // expect: TRUE @+1
    assert(i == j && k != 0);
  }
  // expect: FALSE @+1
  assert(t[0] != 7);
  // expect: TRUE @+1
  assert(t[2] == 3 || i == 2 || j == 2);
  // expect: TRUE @+1
  assert(!(t[2] == 3 && i == 2));
}
