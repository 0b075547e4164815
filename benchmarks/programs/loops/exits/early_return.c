// A loop in main that returns: what is behind is reached with the counter at its bound.
// verdict: TRUE
// inputs: 1*100
#include "../task.h"

int main(void) {
  int i;
  for (i = 0; i < 100; i++)
    if (!__VERIFIER_nondet_bool()) return 0;
  assert(i == MUTANT(100, 99));
  return 0;
}
