// Residues by three functions that call each other.
// verdict: TRUE
// inputs: 2
#include "../task.h"

static int two(unsigned n);
static int one(unsigned n);
static int zero(unsigned n) { return n == 0 ? 0 : one(n - 1); }
static int one(unsigned n) { return n == 0 ? 1 : two(n - 1); }
static int two(unsigned n) { return n == 0 ? MUTANT(2, 1) : zero(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 300);
  int r = zero(n);
  assert(r == (int)(n % 3));
  return 0;
}
