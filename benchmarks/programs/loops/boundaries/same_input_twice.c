// The same input is added to both: they stay equal, whatever it is.
// verdict: TRUE
// inputs: 1 5 6
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned a = __VERIFIER_nondet_uint();
    x += a;
    y += MUTANT(a, __VERIFIER_nondet_uint());
  }
  assert(x == y);
  return 0;
}
