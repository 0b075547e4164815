// Both loops up to n: the inner counter is n whenever it was left.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 30000) return 0;
  int i, j = 0;
  for (i = 0; i < n; i++) {
    for (j = MUTANT(0, 2 * i); j < n; j++) {
    }
    assert(j == n);
  }
  return 0;
}
