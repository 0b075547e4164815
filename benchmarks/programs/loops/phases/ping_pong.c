// Two phases that alternate for ever; the difference stays in its band.
// verdict: TRUE
// inputs: 1*5 0
#include "../task.h"

int main(void) {
  int a = 0, b = 0, turn = 0;
  while (__VERIFIER_nondet_bool()) {
    if (turn == 0) {
      a++;
      turn = 1;
    } else {
      b++;
      turn = MUTANT(0, a == 1 ? 0 : 1);
    }
  }
  assert(a - b <= 1 && b - a <= 0);
  return 0;
}
