// Values are swapped in each round: their sum and their set stay.
// verdict: TRUE
// inputs: 1 0
#include "../task.h"

int main(void) {
  int x = 3, y = 8;
  while (__VERIFIER_nondet_bool()) {
    int t = x;
    x = y;
    y = t;
  }
  assert(x + y == 11);
  assert(MUTANT(x == 3 || x == 8, x != 8));
  return 0;
}
