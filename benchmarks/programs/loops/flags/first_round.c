// A flag for the first round: afterwards the value is set.
// verdict: TRUE
// inputs: 5 5 0
#include "../task.h"

int main(void) {
  int first = 1, value, last = 0, n;
  value = 0;
  while ((n = __VERIFIER_nondet_int()) > 0) {
    if (first) {
      value = n;
      first = 0;
    } else if (n > value) {
      value = n;
    }
    last = n;
  }
  if (!first) assert(value >= last && value MUTANT(> 0, != 5));
  return 0;
}
