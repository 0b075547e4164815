// Recursion on the way to the target.
#include "../verify/verifier.h"

static unsigned sum(unsigned n) {
  // reach: REACHED line @+1
  if (n == 0) return 0;
  return n + sum(n - 1);
}

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 8);
  if (sum(n) == 21)
    // reach: REACHED line @+1
    return 1;
  if (sum(n) == 22)
    // reach: UNREACHABLE line @+1
    return 2;
  if (even(n) && odd(n))
    // reach: UNREACHABLE line @+1
    return 3;
  return 0;
}
