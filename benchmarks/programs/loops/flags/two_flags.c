// Of two flags never both; a counter moves by which is set.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

int main(void) {
  int left = 0, right = 0, position = 0;
  while (position > -1000 && position < 1000) {
    if (__VERIFIER_nondet_bool()) {
      left = 1;
      right = 0;
    } else if (position MUTANT(>= -1000, > 1)) {
      left = 0;
      right = 1;
    } else {
      left = MUTANT(0, left);
      right = 1;
    }
    assert(!(left && right));
    position += right - left;
  }
  return 0;
}
