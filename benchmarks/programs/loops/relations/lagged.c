// One variable is the value that the other had a round ago.
// verdict: TRUE
// inputs: 1 0
#include "../task.h"

int main(void) {
  int now = 1, before = 0;
  while (now < 100000000 && __VERIFIER_nondet_bool()) {
    before = now;
    now = now + MUTANT(1, 2);
  }
  assert(now - before == 1);
  return 0;
}
