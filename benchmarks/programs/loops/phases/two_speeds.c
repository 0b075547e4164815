// First by one, then by five, to an end that both hit.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned pos = 0;
  while (pos < 2000000) {
    if (pos < MUTANT(1000000, 1000001))
      pos += 1;
    else
      pos += 5;
  }
  assert(pos == 2000000);
  return 0;
}
