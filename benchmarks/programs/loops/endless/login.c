// Three failures lock an account until it is reset.
// verdict: TRUE
// inputs: 0 0 0 1
#include "../task.h"

int main(void) {
  int failures = 0, inside = 0, locked = 0;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e == 0 && !inside) {
      failures++;
      if (failures >= 3) locked = 1;
      if (failures > 3) failures = 3;
    } else if (e == 1 && MUTANT(!locked, failures <= 3)) {
      inside = 1;
      failures = 0;
    } else if (e == 2) {
      inside = 0;
    } else if (e == 3 && !inside) {
      locked = 0;
      failures = 0;
    }
    assert(!(inside && locked));
  }
}
