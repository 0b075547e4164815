// The greatest common divisor by subtraction ends with equal numbers, and above zero.
// verdict: TRUE
// inputs: 12 18
#include "../task.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a > 0 && b > 0 && a < 1000 && b < 1000);
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
    assert(a > 0 && b > 0);
  }
  assert(MUTANT(a == b, a != 6));
  return 0;
}
