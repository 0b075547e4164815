// Quotient and remainder by subtraction.
// verdict: TRUE
// inputs: 17 17
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(b > 0);
  unsigned q = 0, r = a;
  while (r MUTANT(>=, >) b) {
    r -= b;
    q++;
  }
  assert(r < b);
  assert(q * b + r == a);
  return 0;
}
