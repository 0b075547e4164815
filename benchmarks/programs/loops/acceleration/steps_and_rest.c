// Full steps first, then the rest one by one.
// verdict: TRUE
// inputs: 130
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), left = n, blocks = 0, singles = 0;
  while (left >= 64) {
    left -= 64;
    blocks++;
  }
  while (left > 0) {
    left--;
    singles++;
  }
  assert(singles < 64);
  assert(64 * blocks + singles == n MUTANT(, && singles != 2));
  return 0;
}
