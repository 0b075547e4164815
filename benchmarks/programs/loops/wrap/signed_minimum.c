// Negation of the least value is itself: a loop over absolute values.
// verdict: TRUE
// inputs: -2147483648
#include "../task.h"

int main(void) {
  int v = __VERIFIER_nondet_int();
  MUTANT(__VERIFIER_assume(v != -2147483647 - 1);, )
  unsigned rounds = 0;
  int magnitude = v < 0 ? (int)(0u - (unsigned)v) : v;
  for (int m = magnitude; m != 0; m /= 2) rounds++;
  assert(magnitude >= 0 && rounds <= 31);
  return 0;
}
