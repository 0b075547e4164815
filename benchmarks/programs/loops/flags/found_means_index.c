// A flag says whether the index was found: two cases of one invariant.
// verdict: TRUE
// inputs: 5 3
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), wanted = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  int found = 0, where = -1;
  for (int i = 0; i < n; i++) {
    if (!found && i == wanted) {
      found = 1;
      where = i;
    }
  }
  assert(found ? where == wanted && where < n : where == -1);
  MUTANT(, assert(!found || where + 2 != n));
  return 0;
}
