// By twos from zero one is never met; by threes, after almost 2^32 rounds and three times around, it is.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned x = 0;
  while (x != 1) x += MUTANT(2, 3);
  assert(0);
  return 0;
}
