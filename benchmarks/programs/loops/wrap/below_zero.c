// An unsigned counter never is below zero: the loop of the beginner, ended by a check.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned i;
  for (i = n; i <= n; i--) {
  }
  assert(MUTANT(i == 0xFFFFFFFFu, i < n));
  return 0;
}
