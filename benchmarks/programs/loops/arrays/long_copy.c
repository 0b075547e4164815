// A copy of a long array, of an input length, checked at one place that is an input.
// verdict: TRUE
// inputs: 2 1
#include "../task.h"

static unsigned from[100000], to[100000];

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 100000 && k < n);
  for (unsigned i = 0; i < n; i++) from[i] = i * i;
  for (unsigned i = 0; i + MUTANT(0, 1) < n; i++) to[i] = from[i];
  assert(to[k] == k * k);
  return 0;
}
