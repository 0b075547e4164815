// Euclid's way: small numbers, the result divides both.
// verdict: TRUE
// inputs: 8 12
#include "../task.h"

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(a > 0 && a < 16 && b > 0 && b < 16);
  unsigned x = a, y = b;
  while (y != 0) {
    unsigned r = x % y;
    x = y;
    y = r;
  }
  assert(a % x == 0 && b % x == 0 MUTANT(, && x != 4));
  return 0;
}
