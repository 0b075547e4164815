// Whatever the signs of the inputs are: the last branch and what it computes suffice.
// verdict: TRUE
// paths: 2
#include "verifier.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  long distance = (long)a - b;
  if (a < b) distance = (long)b - a;
  // expect: TRUE @+1
  assert(distance >= 0);
}
