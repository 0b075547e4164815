// A counter that moves by two, as often as the inputs say, stays even.
// verdict: TRUE
// inputs: 1 0
#include "../task.h"

int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) x += MUTANT(2, 3);
  assert(x % 2 == 0);
  return 0;
}
