// Plus and minus in turns: the sum is half of the count, up to its sign.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 100000);
  int s = 0, sign = 1;
  for (int i = 1; i <= n; i++) {
    s += sign * i;
    sign = -sign;
  }
  assert(s == (n % 2 ? (n + 1) / 2 : -(n / 2)) MUTANT(, && s != 2));
  return 0;
}
