// Two counters that move together from the same start.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

int main(void) {
  int a = 0, b = 0;
  while (__VERIFIER_nondet_bool()) {
    a++;
    b += MUTANT(1, 1 + (a == 2));
  }
  assert(a == b);
  return 0;
}
