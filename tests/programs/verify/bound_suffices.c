// All loops end within the bound.
// verdict: TRUE
// unroll: 11
#include "verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar(), s = 0;
  if (n > 5) n = 5;
  for (unsigned i = 0; i < n; i++) s += 2;
  // expect: TRUE @+1
  assert(s <= 10);
  while (s) s--;
  // expect: TRUE @+1
  assert(s == 0);
}
