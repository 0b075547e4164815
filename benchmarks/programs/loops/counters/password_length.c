// Only an exact number of rounds gets there.
// verdict: FALSE
// inputs: 1234
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) s += MUTANT(5, 10);
  if (s == 6170) assert(n % 2 == 1 || s != 6170);
  return 0;
}
