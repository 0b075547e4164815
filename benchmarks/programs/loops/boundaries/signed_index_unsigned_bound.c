// Minus one compared with a size is large: no round.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  int a[4] = {0, 0, 0, 0}, rounds = 0;
  for (int i = MUTANT(-1, 0); i < sizeof a / sizeof *a; i++) {
    rounds++;
    a[i & 3] = 1;
  }
  assert(rounds == 0);
  return 0;
}
