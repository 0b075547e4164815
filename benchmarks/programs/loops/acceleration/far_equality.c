// Only one value of a long ramp fails; the twin's ramp meets it.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned v = 6;
  for (;;) {
    if (v >= 300000000u) break;
    v += MUTANT(4, 3);
    if (v == 201326583u) reach_error();
  }
  return 0;
}
