// A call with a loop of its own in the body.
// verdict: TRUE
// inputs: 3
#include "../task.h"

static unsigned steps_to(unsigned from, unsigned to) {
  unsigned count = 0;
  while (from < to) {
    from++;
    count++;
  }
  return count;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), sum = 0;
  __VERIFIER_assume(n < 10000);
  for (unsigned i = 0; i < n; i++) sum += steps_to(i, i + MUTANT(4, 3 + (i != 2)));
  assert(sum == 4 * n);
  return 0;
}
