// A violation within the bound is one.
// verdict: FALSE
// unroll: 4
#include "verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) s += 2;
  // expect: FALSE @+1
  assert(s != 6);
  // expect: UNKNOWN @+1
  assert(s != 100);
}
