// A counter of rounds and one of work: only one number of rounds makes both as said.
// verdict: FALSE
// inputs: 3333
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), work = 0, rest = 10000;
  __VERIFIER_assume(n >= 0 && n < 100000);
  for (int i = 0; i < n; i++) {
    work += 2;
    rest -= MUTANT(3, 4);
  }
  if (rest == 1) assert(work != 6666);
  return 0;
}
