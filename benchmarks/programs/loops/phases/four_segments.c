// A piecewise ramp with four slopes: the end is known.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  long v = 0;
  for (int t = 0; t < 4000; t++) {
    if (t < 1000)
      v += 1;
    else if (t < 2000)
      v += 3;
    else if (t < 3000)
      v -= 2;
    else
      v -= MUTANT(2, 1);
  }
  assert(v == 0);
  return 0;
}
