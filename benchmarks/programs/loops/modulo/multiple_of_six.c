// Steps of 6 and of 10: always even, not always a multiple of three.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

int main(void) {
  long x = 4;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      x += 6;
    else
      x += 10;
  }
  assert(MUTANT(x % 2 == 0, x % 10 == 4));
  return 0;
}
