// Bounds far from each other, moved by inputs with weights.
// verdict: TRUE
// inputs: 9 0*9
#include "../task.h"

int main(void) {
  int c1 = 4000, c2 = 2000, c3 = 10000;
  int n = __VERIFIER_nondet_int(), k = 0;
  __VERIFIER_assume(n >= 0 && n < 10);
  for (int i = 0; i < n; i++) {
    unsigned v = __VERIFIER_nondet_uint() % 3;
    if (v == 0)
      k += c3;
    else if (v == 1)
      k += c2;
    else
      k += c1;
  }
  assert(k >= 2000 * n MUTANT(, && k < 90000));
  return 0;
}
