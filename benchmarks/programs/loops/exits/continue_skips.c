// Rounds that are skipped are those that are not counted.
// verdict: TRUE
// inputs: 1
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), counted = 0;
  __VERIFIER_assume(n < 1000000);
  for (unsigned i = 0; i < n; i++) {
    if (i % 3 == 0) continue;
    counted++;
  }
  assert(counted == n - (n + MUTANT(2, 1)) / 3);
  return 0;
}
