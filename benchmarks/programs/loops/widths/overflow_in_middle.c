// The classic of a binary search: the middle of large numbers.
// verdict: TRUE
// inputs: 2000000000 2100000000
// check: overflow
#include "../task.h"

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) return 0;
  while (low < high) {
    int middle = MUTANT(low + (high - low) / 2, (low + high) / 2);
    if (__VERIFIER_nondet_bool())
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}
