// a*a - b*b by steps of both.
// verdict: TRUE
// inputs: 5 3
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), d = 0;
  __VERIFIER_assume(a < 100 && b <= a);
  for (unsigned i = b; i < a; i++) d += 2 * i + 1;
  assert(d == a * a - b * b MUTANT(, && d != 16));
  return 0;
}
