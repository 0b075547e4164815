// It is not greater than either of them.
// verdict: TRUE
// inputs: 6 4
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int gcd(int a, int b) { if (b == 0) return a; return gcd(b, a % b); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0) return 0;
  int g = gcd(a, b);
  __VERIFIER_assert(g > 0 && MUTANT(g <= b, g < b / 2));
}
