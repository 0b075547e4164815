// Mutual recursion decides parity.
// verdict: TRUE
// inputs: 5
#include "../task.h"

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? MUTANT(0, 1) : is_even(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 1000);
  assert(is_even(n) == (n % 2 == 0));
  return 0;
}
