// A flag that flips is the parity of the counter.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

int main(void) {
  unsigned count = 0;
  _Bool odd = 0;
  while (__VERIFIER_nondet_bool()) {
    count++;
    odd = !odd;
  }
  assert(odd == count % 2 MUTANT(, && count != 2));
  return 0;
}
