// Division by doubling the divisor.
// verdict: TRUE
// inputs: 29 4
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (b == 0) return 0;
  unsigned q = 0, r = a;
  while (r >= b) {
    unsigned c = b, k = 1;
    while (r >= 2 * c) {
      c *= 2;
      k *= 2;
    }
    r -= c;
    q += k;
  }
  assert(r < b && q * b + r == a MUTANT(, && (q != 7 || b != 4)));
  return 0;
}
