// Floats that loops set: zeros with signs, and numbers that are none.
#include "../verify/verifier.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  double zero = 0.0, value = 0.0, broken = 0.0, sum = 0.0;
  for (int i = 0; i < n && i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) value = -0.0;
    else if (x == 2) value = 1.5;
    if (x == 3) broken = zero / zero;
    sum += 0.5;
  }
  // reach: REACHED label negative
  if (1.0 / value < 0.0) { negative: return 1; }
  // reach: REACHED label none
  if (broken != broken) { none: return 2; }
  // reach: REACHED label halves
  if (sum == 1.5) { halves: return 3; }
  return 0;
}
