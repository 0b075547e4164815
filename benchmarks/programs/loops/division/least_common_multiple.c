// A common multiple by adding to the smaller one.
// verdict: TRUE
// inputs: 4 6
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a > 0 && a <= 10 && b > 0 && b <= 10);
  unsigned x = a, y = b;
  while (x != y) {
    if (x < y)
      x += a;
    else
      y += b;
  }
  assert(x % a == 0 && x % b == 0 && x <= a * b MUTANT(, && x != 12));
  return 0;
}
