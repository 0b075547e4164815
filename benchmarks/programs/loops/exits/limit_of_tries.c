// At most so many tries; success is remembered.
// verdict: TRUE
// inputs: 0*9 1
#include "../task.h"

int main(void) {
  int tries = 0, success = 0;
  while (tries < 10 && !success) {
    tries++;
    success = __VERIFIER_nondet_bool();
  }
  assert(success || tries == 10);
  assert(tries <= 10 MUTANT(, && (!success || tries < 10)));
  return 0;
}
