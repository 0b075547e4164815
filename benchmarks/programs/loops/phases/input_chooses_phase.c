// The phase changes by an input, but only once.
// verdict: TRUE
// inputs: 0 0 1 0 0 0 0 0 0 0
#include "../task.h"

int main(void) {
  int phase = 0, a = 0, b = 0;
  for (int i = 0; i < 10; i++) {
    if (phase == 0 && __VERIFIER_nondet_bool()) phase = 1;
    if (phase == 0)
      a++;
    else
      b++;
  }
  assert(a + b == 10);
  MUTANT(, assert(a != 2 || b != 8);)
  return 0;
}
