// A test for multiples gives no or yes.
// verdict: TRUE
// inputs: 9
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int mult(int n, int m) { if (m < 0) return mult(n, -m); if (m == 0) return 0; return n + mult(n, m - 1); }
int multiple_of(int n, int m) { if (m < 0) return multiple_of(n, -m); if (n < 0) return multiple_of(-n, m); if (m == 0) return 0; if (n == 0) return 1; if (n < m) return 0; return multiple_of(n - m, m); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 46340) return 0;
  int r = multiple_of(n, 3);
  __VERIFIER_assert(r == 0 || r == MUTANT(1, 0));
}
