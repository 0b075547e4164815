// Addition by ones, with both signs.
// verdict: TRUE
// inputs: 2 -5
#include "../task.h"

static int add(int a, int b) {
  if (b == 0) return a;
  if (b > 0) return add(a + 1, b - 1);
  return add(a - 1, b + MUTANT(1, (b == -1 ? 2 : 1)));
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a > -50 && a < 50 && b > -20 && b < 20);
  assert(add(a, b) == a + b);
  return 0;
}
