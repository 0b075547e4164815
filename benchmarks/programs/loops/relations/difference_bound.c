// A reader never overtakes its writer by more than allowed.
// verdict: TRUE
// inputs: 1 1 1 1 1 1 1 1 1
#include "../task.h"

int main(void) {
  int written = 0, read = 0;
  while (written < 1000000) {
    if (__VERIFIER_nondet_bool()) {
      if (written - read < 8) written++;
    } else if (read < written) {
      read++;
    }
    assert(0 <= written - read && written - read MUTANT(<=, <) 8);
  }
  return 0;
}
