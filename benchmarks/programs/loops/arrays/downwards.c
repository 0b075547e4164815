// Filled from the end to the beginning.
// verdict: TRUE
// inputs: 0
#include "../task.h"

static short a[700];

int main(void) {
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(k >= 0 && k < 700);
  for (int i = 699; i MUTANT(>=, >) 0; i--) a[i] = (short)(700 - i);
  assert(a[k] == 700 - k);
  return 0;
}
