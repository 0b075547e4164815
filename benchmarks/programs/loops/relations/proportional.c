// y is three times x minus the skipped rounds.
// verdict: TRUE
// inputs: 3 0 1 0
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0, skipped = 0;
  __VERIFIER_assume(n >= 0 && n < 10000000);
  for (; x < n; x++) {
    if (__VERIFIER_nondet_bool()) {
      skipped++;
      continue;
    }
    y += 3;
  }
  assert(y == 3 * (x - skipped) MUTANT(, && (n != 3 || skipped != 1)));
  return 0;
}
