// A division by zero on one path only: what is violated on another one is known all the same.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar() & 3;
  int q = 0;
  if (k & 1) q = 12 / d;
  // expect: FALSE @+1
  assert(q != 6);
  // expect: UNKNOWN @+1
  assert(q <= 12);
}
