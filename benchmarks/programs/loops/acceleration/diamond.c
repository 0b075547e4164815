// Each round one of two ways of the same length; with the other way for odd rounds the sum moves by three.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned x = 0, y = __VERIFIER_nondet_uint();
  while (x < 99) {
    if (y % 2 == 0)
      x += 2;
    else
      x += MUTANT(1, 3);
    if (y % 2 == 0) x--;
  }
  assert(MUTANT(x == 99, x % 2 != y % 2 || y % 2 == 0));
  return 0;
}
