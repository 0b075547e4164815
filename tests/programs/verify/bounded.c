// What is beyond the bound, the closure of the loop tells.
// verdict: TRUE
// unroll: 4
#include "verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) s += 2;
  // expect: TRUE @+1
  assert(s % 2 == 0);
}
