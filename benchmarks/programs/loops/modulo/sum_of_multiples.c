// The sum of two multiples.
// verdict: TRUE
// inputs: 1 1 1 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  unsigned int x = 0, y = 0, z = 0;
  while (__VERIFIER_nondet_int()) { x += 4; y += 8; z = x + y; if (z > 4000000000u) break; }
  __VERIFIER_assert(z % 12 == MUTANT(0, z >= 24 ? 12 : 0));
}
