// What is taken away in fives leaves the remainder alone.
// verdict: TRUE
// inputs: 13 1 1 0
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), r = x % 5;
  while (x >= 5 && __VERIFIER_nondet_bool()) x -= MUTANT(5, 4);
  assert(x % 5 == r);
  return 0;
}
