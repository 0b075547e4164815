// A second counter moves in the second half only.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  int x = 0, y = 50;
  while (x < 100) {
    x++;
    if (x > MUTANT(50, 49)) y++;
  }
  assert(y == 100);
  return 0;
}
