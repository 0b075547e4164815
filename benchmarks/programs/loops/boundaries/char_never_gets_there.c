// A signed char never reaches 200: what is behind the loop is not reached.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  signed char c = 0;
  int bound = MUTANT(200, 127);
  while (c < bound) c++;
  assert(0);
  return 0;
}
