// Two phases: the second variable follows the first from the middle on.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned x = 0, y = 500000;
  while (x < 1000000) {
    x++;
    if (x > 500000) y++;
  }
#ifdef MUTANT
  assert(y == x - 1);
#else
  assert(y == x);
#endif
}
