// The inner loop moves the outer loop's counter as well.
// verdict: TRUE
// inputs: 20 1*12
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(n >= 0 && n < 1000000);
  while (i < n) {
    i++;
    while (i < n && __VERIFIER_nondet_bool()) i += MUTANT(1, 2);
  }
  assert(i == n);
  return 0;
}
