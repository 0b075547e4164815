// Addition by ones, upwards or downwards.
// verdict: TRUE
// inputs: 3 -4
#include "../task.h"

int addition(int m, int n) {
  if (n == 0) return m;
  if (n > 0) return addition(m + 1, n - 1);
  return addition(m - 1, n + 1);
}
int main(void) {
  int m = __VERIFIER_nondet_int(); if (m < 0 MUTANT(, - 4) || m > 1073741823) return 0;
  int n = __VERIFIER_nondet_int(); if (n < 0 MUTANT(, - 4) || n > 1073741823) return 0;
  int result = addition(m, n);
  if (result == m + n MUTANT(, && result != -1)) return 0;
  else { reach_error(); }
}
