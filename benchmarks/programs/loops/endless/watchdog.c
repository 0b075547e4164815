// A watchdog that is fed in time never barks.
// verdict: TRUE
// inputs: 0*6
#include "../task.h"

int main(void) {
  int timer = 5, fed = 0;
  while (1) {
    int busy = __VERIFIER_nondet_bool();
    timer--;
    fed = 0;
    if (busy || timer MUTANT(<= 1, < 0)) {
      timer = 5;
      fed = 1;
    }
    assert(timer > 0);
  }
}
