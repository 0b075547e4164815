// Every second round counts.
// verdict: TRUE
// inputs: 4
#include "../task.h"

int main(void) {
  int k = __VERIFIER_nondet_int(), n = 0, i = 0;
  __VERIFIER_assume(k >= 0 && k <= 1000000);
  while (i < 2 * k) {
    if (i % 2 == 0) n++;
    i++;
  }
  assert(n == k MUTANT(, - (k == 4)));
  return 0;
}
