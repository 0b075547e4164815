// A word that is counted past its largest value begins again.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  unsigned x = 10, rounds = 0;
  while (x >= 10) {
    x++;
    rounds++;
  }
  assert(x == 0);
  assert(rounds == MUTANT(4294967286u, 4294967285u));
  return 0;
}
