// The moves of the towers.
// verdict: TRUE
// inputs: 5
#include "../task.h"

static unsigned moves(unsigned n) { return n == 0 ? 0 : 2 * moves(n - 1) + 1; }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 20);
  assert(moves(n) == (1u << n) - 1 MUTANT(, && n != 5));
  return 0;
}
