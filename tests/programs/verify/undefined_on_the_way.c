// Where a pointer may be null, nothing is known of what follows; what comes before is proved.
// plain: no
// verdict: UNKNOWN
// reason: null-dereference
#include "verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), *p = x == 3 ? 0 : &x;
  // expect: TRUE @+1
  assert(p != 0 || x == 3);
  *p = 1;
  // expect: UNKNOWN @+1
  assert(x == 1);
}
