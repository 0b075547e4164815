// for with two counters that run against each other.
// verdict: TRUE
// inputs: 11
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), i, j;
  __VERIFIER_assume(n >= 0 && n < 10000000);
  for (i = 0, j = n; i < j; i++, j--) {
  }
  assert(i - j == (n % 2 ? MUTANT(1, 0) : 0));
  return 0;
}
