// All calls count in a variable of the caller.
// verdict: TRUE
// inputs: 5
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

void inc_by(int *p, int n) { if (n <= 0) return; *p = *p + 1; inc_by(p, n - 1); }
int main(void) {
  int x = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10000) return 0;
  inc_by(&x, n);
  __VERIFIER_assert(x == n MUTANT(, && x != 5));
}
