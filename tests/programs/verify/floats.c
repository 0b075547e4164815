// Branches on floating-point numbers.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  double x = __VERIFIER_nondet_double(), y = 1.5;
  if (x > 2.0) y = 3.0;
  // expect: TRUE @+1
  assert(y == 1.5 || x > 1.0);
  // expect: FALSE @+1
  assert(x <= 2.0 || x > 2.0);
  if (y == 3.0)
    // expect: TRUE @+1
    assert(x == x);
}
