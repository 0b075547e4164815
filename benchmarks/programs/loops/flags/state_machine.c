// Four states by inputs; the counter tells which ones were passed.
// verdict: TRUE
// inputs: 5 6 7
#include "../task.h"

int main(void) {
  int state = 0, passed = 0;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (state == 0 && e == 5) {
      state = 1;
      passed = 1;
    } else if (state == 1 && e == 6) {
      state = 2;
      passed = MUTANT(2, 1);
    } else if (state == 2 && e == 7) {
      assert(passed == 2);
      state = 3;
    } else if (state == 3) {
      state = 0;
      passed = 0;
    } else if (e == 0 && state != 2) {
      state = 0;
    }
  }
}
