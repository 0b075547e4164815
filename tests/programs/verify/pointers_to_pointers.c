// Which pointer is moved depends on another pointer.
// verdict: FALSE
#include "verifier.h"

static int a = 1, b = 2, c = 3;
static int *p = &a, *q = &b, **which = &p;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  if (k & 1) which = &q;
  if (k & 2) *which = &c;
  if (k & 4) **which = 10;
  // expect: TRUE @+1
  assert(!(a == 10 && b == 10));
  if (c == 10) {
    // expect: TRUE @+1
    assert((k & 6) == 6);
  }
  // expect: FALSE @+1
  assert(c != 10 || p != &c);
  // expect: FALSE @+1
  assert(c != 10 || q != &c);
  // expect: TRUE @+1
  assert(*p + *q != 13);
}
