// Two loops up, one down: what they share is the length.
// verdict: TRUE
// inputs: 3 4
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && m >= 0 && n < 1000000 && m < 1000000);
  int k = 0, i;
  for (i = 0; i < n; i++) k++;
  for (i = 0; i < m; i++) k++;
  for (i = 0; i < n + m MUTANT(, + (n == 3)); i++) {
    assert(k > 0);
    k--;
  }
  return 0;
}
