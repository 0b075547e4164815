// Assumptions in callees, in loops, and one that never holds.
// verdict: FALSE
#include "verifier.h"

static int twice(int x) {
  __VERIFIER_assume(x != 3);
  return x * 2;
}

static int small(int x) {
  if (x > 4) __VERIFIER_assume(0);
  return x;
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar() & 7, y = __VERIFIER_nondet_uchar() & 7;
  int r = y & 1 ? twice(x) : small(x);
  for (int i = 0; i < 3; i++) {
    __VERIFIER_assume(r != i);
    if (y == 6) twice(i + 1);
  }
  // expect: TRUE @+1
  assert(r > 2);
  // expect: FALSE @+1
  assert(r != 3);
  // expect: TRUE @+1
  assert(r != 6);
  // expect: TRUE @+1
  assert(y != 6);
  // expect: FALSE @+1
  assert(r != 14);
}
