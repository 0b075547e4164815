// A product by recursion is commutative.
// verdict: TRUE
// inputs: 3 4
#include "../task.h"

static int times(int a, int b) { return b == 0 ? 0 : a + times(a, b - 1); }

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a >= 0 && a < 12 && b >= 0 && b < 12);
  assert(times(a, b) == times(b, a) MUTANT(, && times(a, b) != 12));
  return 0;
}
