// A call writes to a local variable of one of its callers, or of main.
// verdict: FALSE
#include "verifier.h"

static int changed;

static int f(int n, int *up) {
  int mine = n;
  if (n <= 0) {
    *up = 50;
    return mine;
  }
  int r = f(n - 1, n == 2 ? &mine : up);
  if (mine == 50) changed++;
  return r + mine;
}

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() & 3;
  int x = 0;
  int r = f(n, &x);
  if (n < 2)
    // expect: TRUE @+1
    assert(x == 50);
  else
    // expect: TRUE @+1
    assert(x == 0);
  // expect: TRUE @+1
  assert(changed == 0 || n >= 2);
  // expect: FALSE @+1
  assert(r != 51);
  // expect: TRUE @+1
  assert(r != 6);
}
