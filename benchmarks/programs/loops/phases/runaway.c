// x runs until y, which moves only once x is past its own bound.
// verdict: TRUE
// inputs: -10
#include "../task.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  __VERIFIER_assume(x <= 0 && x > -1000000);
  while (x < 1000) {
    if (x < 0)
      x += 1;
    else {
      x += 2;
      y += 1;
    }
  }
  assert(MUTANT(y == 500 && x == 1000, y != 500));
  return 0;
}
