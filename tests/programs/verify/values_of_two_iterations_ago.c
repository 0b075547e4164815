// What an iteration sees was set two iterations before it: clauses that are moved must not forget the start.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int a = 0, b = 0, c = 0;
  for (int i = 0;; i++) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (c == 1) {
      // expect: TRUE @+1
      assert(i >= 3);
    }
    if (c == 2) {
      // expect: FALSE @+1
      assert(i != 3);
      // expect: FALSE @+1
      assert(i != 4);
    }
    c = b;
    b = a;
    a = x == 7 ? 2 : 1;
    if (i == 4) break;
  }
  // expect: TRUE @+1
  assert(c != 0);
}
