// A parabola that is too high in its middle only: no overflow at either end.
// verdict: TRUE
// inputs:
// check: overflow
#include "../task.h"

int main(void) {
  int height = 0, step = MUTANT(20000, 70000);
  for (int t = 0; t < MUTANT(40000, 140000); t++) {
    height += step;
    step -= 1;
  }
  return height < 0;
}
