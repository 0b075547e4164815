// Multiplication by addition does not depend on the order.
// verdict: TRUE
// inputs: 3 2
#include "../task.h"

int mult(int n, int m) { if (m < 0) return mult(n, -m); if (m == 0) return 0; return n + mult(n, m - 1); }
int main(void) {
  int m = __VERIFIER_nondet_int(); if (m < 0 || m > 46340) return 0;
  int n = __VERIFIER_nondet_int(); if (n < 0 || n > 46340) return 0;
  int res1 = mult(m, n), res2 = mult(n, m);
  if (res1 != res2 MUTANT(&&, ||) m > 0 && n > 0 MUTANT(, && res1 == 6)) { reach_error(); }
  return 0;
}
