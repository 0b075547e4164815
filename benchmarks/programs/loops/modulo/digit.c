// A digit counter with carry: the digit is a digit, the total is what was counted.
// verdict: TRUE
// inputs: 10
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), digit = 0, tens = 0;
  __VERIFIER_assume(n < 100000000);
  for (unsigned i = 0; i < n; i++) {
    digit++;
    if (digit == 10) {
      digit = MUTANT(0, 1);
      tens++;
    }
  }
  assert(10 * tens + digit == n);
  return 0;
}
