// Up to an input, then down to zero, with a direction flag.
// verdict: TRUE
// inputs: 6
#include "../task.h"

int main(void) {
  unsigned top = __VERIFIER_nondet_uint();
  __VERIFIER_assume(top > 0 && top < 100000000);
  unsigned at = 0, moves = 0;
  int up = 1;
  do {
    if (up) {
      at++;
      if (at == top) up = 0;
    } else {
      at--;
    }
    moves++;
  } while (at > 0);
  assert(moves == 2 * top MUTANT(, - 1));
  return 0;
}
