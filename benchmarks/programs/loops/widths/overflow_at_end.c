// Counting up to the largest number: the last increment must not be.
// verdict: TRUE
// inputs: 2147483647
// check: overflow
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 2147480000);
  for (int i = 2147480000; i MUTANT(<, <=) n; i++) {
  }
  return 0;
}
