// The mean of an interval by moving both ends.
// verdict: TRUE
// inputs: 2 9
#include "../task.h"

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low <= high && low >= -1000000 && high <= 1000000);
  int sum = low + high;
  while (high - low > 1) {
    low++;
    high--;
  }
  assert(low + high == sum && high - low <= 1 && MUTANT(high >= low, high == low));
  return 0;
}
