// An interval that grows at both ends until they meet on the other side of the circle.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned char low = 100, high = 101;
  int rounds = 0;
  while (low != high) {
    low--;
    high++;
    rounds++;
    if (rounds == 1000) break;
  }
  assert(rounds == MUTANT(1000, 127));
  return 0;
}
