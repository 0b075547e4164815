// The function of Ackermann is greater than its second argument.
// verdict: TRUE
// inputs: 1 1
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int ack(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}
int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || m > 3 || n < 0 || n > 10) return 0;
  int r = ack(m, n);
  __VERIFIER_assert(r > n MUTANT(, + 2 || m < 1 || m > 2));
}
