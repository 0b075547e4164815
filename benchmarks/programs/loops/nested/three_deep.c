// Three loops, constant bounds, one counter.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned count = 0;
  for (int a = 0; a < 100; a++)
    for (int b = 0; b < 200; b++)
      for (int c = 0; c < 300; c += MUTANT(3, 4)) count++;
  assert(count == 2000000);
  return 0;
}
