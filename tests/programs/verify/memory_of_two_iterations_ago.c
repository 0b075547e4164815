// The same in memory, through a pointer and in a callee.
// verdict: FALSE
#include "verifier.h"

static int a, b, c, *last = &c;

static void rotate(void) {
  *last = b;
  b = a;
}

int main(void) {
  for (int i = 0;; i++) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (*last == 1) {
      // expect: TRUE @+1
      assert(i >= 3);
    }
    if (c == 2) {
      // expect: FALSE @+1
      assert(i != 3);
    }
    if (c == 2) {
      // expect: FALSE @+1
      assert(i != 4);
    }
    rotate();
    if (x == 7)
      a = 2;
    else
      a = 1;
    if (i == 4) break;
  }
  // expect: TRUE @+1
  assert(c != 0);
}
