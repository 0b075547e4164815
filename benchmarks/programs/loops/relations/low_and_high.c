// Two ends of an interval that close in on each other never pass.
// verdict: TRUE
// inputs: 0 9 1
#include "../task.h"

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low >= 0 && high >= low && high < 1000000);
  while (low MUTANT(<, <=) high) {
    if (__VERIFIER_nondet_bool())
      low++;
    else
      high--;
  }
  assert(low == high);
  return 0;
}
