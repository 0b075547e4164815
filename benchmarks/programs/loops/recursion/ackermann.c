// Ackermann's function for small arguments grows with the second.
// verdict: TRUE
// inputs: 1 0
#include "../task.h"

static int ack(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  __VERIFIER_assume(m >= 0 && m <= 2 && n >= 0 && n <= 3);
  assert(ack(m, n) > n + MUTANT(0, 2 * m));
  return 0;
}
