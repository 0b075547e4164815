// Each call adds two.
// verdict: TRUE
// inputs: 9 2
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int f(int x, int y) { if (x <= 0) return y; return f(x - 1, y + 2); }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || x > 10000 || y < 0 || y > 10000) return 0;
  __VERIFIER_assert(f(x, y) == y + 2 * x MUTANT(, && x != 9));
}
