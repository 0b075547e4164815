// A value is on the side that its flag says.
// verdict: TRUE
// inputs: 5 -5 0
#include "../task.h"

int main(void) {
  int value = 0, negative = 0, next;
  while ((next = __VERIFIER_nondet_int()) != 0) {
    value = next;
    negative = next MUTANT(< 0, < -5);
  }
  if (negative) {
    assert(value < 0);
  } else {
    assert(value >= 0);
  }
  return 0;
}
