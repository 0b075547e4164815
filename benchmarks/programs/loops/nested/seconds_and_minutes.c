// A clock: seconds, minutes, hours.
// verdict: TRUE
// inputs: 3600
#include "../task.h"

int main(void) {
  int seconds = __VERIFIER_nondet_int(), s = 0, m = 0, h = 0;
  __VERIFIER_assume(seconds >= 0 && seconds < 86400);
  for (int t = 0; t < seconds; t++) {
    if (++s == 60) {
      s = 0;
      if (++m == MUTANT(60, 61)) {
        m = 0;
        h++;
      }
    }
    assert(s < 60 && m < 60 && h < 24);
  }
  return 0;
}
