// A jump into the middle of a loop.
// unsupported: a goto into a loop
// verdict: FALSE
#include "verifier.h"

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 3;
  int i = 0, s = 0;
  if (k == 1) goto middle;
  for (; i < 3; i++) {
    s += 1;
  middle:
    s += 10;
  }
  // expect: FALSE @+1
  assert(s != 33);
  // expect: TRUE @+1
  assert(s == 33 || k == 1);
}
