// The inner loop differs for the first and for later rounds.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), sum = 0;
  __VERIFIER_assume(n > 0 && n < 50000);
  for (unsigned i = 0; i < n; i++) {
    unsigned inner = i == 0 ? 100 : 2;
    for (unsigned j = 0; j < inner; j++) sum++;
  }
  assert(sum == 98 + 2 * n MUTANT(, + (n == 5)));
  return 0;
}
