// The extended algorithm of Euclid, by subtraction.
// verdict: TRUE
// inputs: 12 8
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int a, b, p = 1, q = 0, r = 0, s = 1, x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (!(x >= 1 && x <= 10000)) return 0; if (!(y >= 1 && y <= 10000)) return 0;
  a = x; b = y;
  while (1) {
    __VERIFIER_assert(1 == p * s - r * q);
    __VERIFIER_assert(a == y * r + x * p);
    __VERIFIER_assert(b == x * q + y * s MUTANT(, + (a == 4)));
    if (!(a != b)) break;
    if (a > b) { a = a - b; p = p - q; r = r - s; } else { b = b - a; q = q - p; s = s - r; }
  }
  return 0;
}
