// As before with an even distance: after half of the circle they meet.
// verdict: FALSE
// inputs:
#include "../task.h"

int main(void) {
  unsigned char low = 100, high = MUTANT(102, 101);
  while (low != high) {
    low--;
    high++;
  }
  assert(0);
  return 0;
}
