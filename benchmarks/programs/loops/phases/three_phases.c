// Rise, plateau, fall: as much falls as rose.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  int height = 0;
  for (int t = 0; t < 300000; t++) {
    if (t < 100000)
      height += 2;
    else if (t >= MUTANT(200000, 200001))
      height -= 2;
  }
  assert(height == 0);
  return 0;
}
