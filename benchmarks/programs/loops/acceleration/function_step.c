// The step is in a function, of a large constant loop.
// verdict: TRUE
// inputs:
#include "../task.h"

static unsigned bump(unsigned v) { return v + MUTANT(2, 4); }

int main(void) {
  unsigned v = 0;
  while (v < 0x0ffffff0) v = bump(v);
  assert(v % MUTANT(2, 11) == 0);
  return 0;
}
