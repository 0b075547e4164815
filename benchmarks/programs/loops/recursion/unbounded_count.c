// Any depth: what goes in comes out.
// verdict: TRUE
// inputs: 41
#include "../task.h"

static unsigned identity(unsigned n) {
  if (n == 0) return 0;
  return identity(n - 1) + 1;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 50000);
  unsigned r = identity(n);
  assert(r == n MUTANT(, && r != 41));
  return 0;
}
