// A product by halves of both factors.
// verdict: TRUE
// inputs: 3 5
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), a, b, p, q;
  if (!(y >= 1 && y <= 1000 && x >= 0 && x <= 1000)) return 0;
  a = x; b = y; p = 1; q = 0;
  while (1) {
    __VERIFIER_assert(q + a * b * p == x * y);
    if (!(a != 0 && b != 0)) break;
    if (a % 2 == 0 && b % 2 == 0) { a = a / 2; b = b / 2; p = 4 * p; }
    else if (a % 2 == 1 && b % 2 == 0) { a = a - 1; q = q + b * p; }
    else if (a % 2 == 0 && b % 2 == 1) { b = b - 1; q = q + a * p; }
    else { a = a - 1; b = b - 1; q = q + (a + b + 1) * p; }
  }
  __VERIFIER_assert(q == x * y MUTANT(, && q != 15));
  return 0;
}
