// The sum of steps of four and of twelve is a multiple of four, and negative ones too.
// verdict: TRUE
// inputs: -1 0
#include "../task.h"

int main(void) {
  int x = 0, e;
  while ((e = __VERIFIER_nondet_int()) != 0) {
    if (e > 0)
      x = x + 12;
    else
      x = x - MUTANT(4, 2);
  }
  assert((x & 3) == 0);
  return 0;
}
