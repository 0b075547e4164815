// The test reads the counter before the step, the body after it.
// verdict: TRUE
// inputs: 6
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, last = 0;
  __VERIFIER_assume(n >= 0 && n < 100000000);
  while (i++ < n) last = i;
  assert(last == n && i == n + MUTANT(1, 1 - (n == 6)));
  return 0;
}
