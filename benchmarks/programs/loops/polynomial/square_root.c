// The whole root of a number, by odd steps.
// verdict: TRUE
// inputs: 9
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x < 1000000);
  unsigned root = 0, next = 1, odd = 1;
  while (next MUTANT(<=, <) x) {
    root++;
    odd += 2;
    next += odd;
  }
  assert(root * root <= x && (root + 1) * (root + 1) > x);
  return 0;
}
