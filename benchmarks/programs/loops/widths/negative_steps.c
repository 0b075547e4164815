// Below zero by threes: remainders of negative numbers are negative.
// verdict: TRUE
// inputs: 1 0
#include "../task.h"

int main(void) {
  int x = 0;
  while (x > -1000000 && __VERIFIER_nondet_bool()) x -= 3;
  assert(x % 3 == 0);
  assert(x % 2 == 0 || x % 2 == MUTANT(-1, 1));
  return 0;
}
