// Eight copies in a round: the loop is entered in its middle.
// verdict: TRUE
// inputs: 13
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar(), copies = 0;
  if (n == 0) return 0;
  unsigned rounds = (n + 3) / 4;
  switch (n % 4) {
    case 0:
      do {
        copies++;
        case 3: copies++;
        case 2: copies++;
        case 1: copies++;
      } while (--rounds > 0);
  }
  assert(copies == n MUTANT(, && n != 13));
  return 0;
}
