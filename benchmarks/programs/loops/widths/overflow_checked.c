// A signed sum that may not overflow: it is bounded, or it is not.
// verdict: TRUE
// inputs: 65539
// check: overflow
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > MUTANT(65538, 65539)) return 0;
  for (int i = 0; i < n; i++) s += 32767;
  return 0;
}
