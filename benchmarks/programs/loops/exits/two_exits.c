// Left by one of two conditions, which the assertion tells apart.
// verdict: TRUE
// inputs: 3 2
#include "../task.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a > 0 && b > 0 && a < 1000000 && b < 1000000);
  int a0 = a, b0 = b;
  while (a > 0 && b > 0) {
    a--;
    b--;
  }
  assert(a0 >= b0 ? b == 0 && a == a0 - b0 : a == 0 && b == b0 - a0);
  assert(MUTANT(a == 0 || b == 0, a == 0));
  return 0;
}
