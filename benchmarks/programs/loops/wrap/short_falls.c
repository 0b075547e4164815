// A short converted from a sum wraps; its parity does not.
// verdict: TRUE
// inputs: 32767
#include "../task.h"

int main(void) {
  short s = 1;
  unsigned n = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) s = (short)(s + 2);
  assert(MUTANT(s & 1, s > 0));
  return 0;
}
