// Factorials that fit, and the first that does not.
// verdict: TRUE
// inputs: 13
// check: overflow
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), f = 1;
  if (n < 0 || n > MUTANT(12, 13)) return 0;
  for (int i = 2; i <= n; i++) f *= i;
  return 0;
}
