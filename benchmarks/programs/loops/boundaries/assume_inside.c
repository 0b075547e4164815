// An assumption in the body cuts long runs off.
// verdict: TRUE
// inputs: 1 1 1 1 1 1 1 1 1 1 0
#include "../task.h"

int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_bool()) {
    x++;
    __VERIFIER_assume(x <= MUTANT(9, 10));
  }
  assert(x < 10);
  return 0;
}
