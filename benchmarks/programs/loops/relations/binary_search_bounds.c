// The middle of a search is always between its ends.
// verdict: TRUE
// inputs: 5 0 0
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0);
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    assert(middle >= 0 && middle < n);
    if (__VERIFIER_nondet_bool())
      low = middle + 1;
    else
      high = MUTANT(middle, middle - 1);
  }
  assert(low >= 0 && low <= n && high >= 0);
  return 0;
}
