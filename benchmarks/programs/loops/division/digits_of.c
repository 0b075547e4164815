// The number of digits of a word is at most ten.
// verdict: TRUE
// inputs: 4294967295
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int digits = 0;
  do {
    x /= 10;
    digits++;
  } while (x != 0);
  assert(digits MUTANT(<=, <) 10);
  return 0;
}
