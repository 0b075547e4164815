// A lock that is taken and released by inputs is never taken twice.
// verdict: TRUE
// inputs: 1 1
#include "../task.h"

int main(void) {
  int locked = 0;
  while (1) {
    int command = __VERIFIER_nondet_int();
    if (command == 1 MUTANT(&& !locked, )) {
      assert(!locked);
      locked = 1;
    } else if (command == 2 && locked) {
      assert(locked);
      locked = 0;
    } else if (command == 3) {
      break;
    }
  }
  return 0;
}
