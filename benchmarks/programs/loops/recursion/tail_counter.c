// A tail call as a loop.
// verdict: TRUE
// inputs: 20
#include "../task.h"

static int climb(int n, int done) {
  if (n <= 0) return done;
  return climb(n - 1, done + 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 100000);
  assert(climb(n, 0) == 2 * n MUTANT(, && n != 20));
  return 0;
}
