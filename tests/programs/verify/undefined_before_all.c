// Undefined behaviour on one path, on the way to everything.
// verdict: UNKNOWN
// reason: null-dereference
#include "verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), there = 3, *p = 0;
  if (x > 5) p = &there;
  *p = 4;
  // expect: UNKNOWN @+1
  assert(x > 5);
}
