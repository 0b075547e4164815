// Five times around by a step that divides the range.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned x = 0, laps = 0;
  while (laps < 5) {
    x += MUTANT(0x1000, 0x1001);
    if (x < 0x1000) laps++;
    if (x < 0x1000) assert(x == 0);
  }
  return 0;
}
