// Variables that a function keeps from call to call.
// verdict: FALSE
#include "verifier.h"

static int next(int x) {
  static int last = 3, count;
  count++;
  int r = last;
  if (x != 2) last = x;
  return r + (count > 3 ? 100 : 0);
}

int main(void) {
  int r = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char k = __VERIFIER_nondet_uchar() & 3;
    r = next(k);
    // expect: TRUE @+1
    assert(r != 2);
    if (i == 0) {
      // expect: TRUE @+1
      assert(r == 3);
    }
    if (r > 99) {
      // expect: TRUE @+1
      assert(i >= 3);
    }
    if (i >= 1) {
      // expect: FALSE @+1
      assert(r != 0);
    }
  }
  // expect: TRUE @+1
  assert(r != 102);
  // expect: FALSE @+1
  assert(r != 103);
}
