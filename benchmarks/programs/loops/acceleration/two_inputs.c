// Rounds given by the larger of two inputs.
// verdict: TRUE
// inputs: 1000 2
#include "../task.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || b < 0) return 0;
  int most = a > b ? a : b, i = 0;
  while (i < a || i < b) i++;
  assert(i == most MUTANT(, && !(i == 1000 && b == 2)));
  return 0;
}
