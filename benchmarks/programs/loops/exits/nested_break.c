// A break leaves the inner loop only.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), outer = 0, inner = 0;
  __VERIFIER_assume(n > 0 && n < 10000);
  for (int i = 0; i < n; i++) {
    outer++;
    for (int j = 0; j < 10; j++) {
      if (j == 3) break;
      inner++;
    }
  }
  assert(inner == 3 * outer && outer == n MUTANT(, + (n == 5)));
  return 0;
}
