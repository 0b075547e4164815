// A square root by adding odd numbers.
// verdict: TRUE
// inputs: 27
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  long x = 0, y = __VERIFIER_nondet_int(), s = 0, k = 1;
  if (y < 1 || y > 1000000) return 0;
  while (x * x <= y) { x = x + 1; s = s + k; k = k + 2; __VERIFIER_assert(s == x * x && k == 2 * x + 1); }
  __VERIFIER_assert(s > y MUTANT(, && s != 36));
}
