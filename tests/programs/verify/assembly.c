// What cannot be executed is in the way of one assertion, not of the others.
// verdict: UNKNOWN
// reason: assembly
// plain: no
#include "verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), y = x;
  // expect: TRUE @+1
  assert(x == y);
  if (x == 5) {
    __asm__ volatile("incl %0" : "+r"(y));
    // expect: UNKNOWN @+1
    assert(y != 9);
    return 0;
  }
  // expect: TRUE @+1
  assert(y == x);
}
