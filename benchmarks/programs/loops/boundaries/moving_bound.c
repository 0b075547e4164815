// The bound comes nearer while the counter goes up.
// verdict: TRUE
// inputs: 101
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), bound = n, i = 0;
  __VERIFIER_assume(n > 0 && n < 1000000);
  while (i < bound) {
    i++;
    bound--;
  }
  assert(i == (n + 1) / 2);
  assert(bound == n / 2 MUTANT(, + (n == 101)));
  return 0;
}
