// A product of counters stays below its bound.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned p = 1;
  for (unsigned i = 1; i <= 12; i++) p *= i;
  assert(p == MUTANT(479001600u, 479001601u));
  return 0;
}
