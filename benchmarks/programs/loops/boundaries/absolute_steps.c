// A walk by inputs of at most three: as far away as rounds allow.
// verdict: TRUE
// inputs: 3 3 3 3 3 3 3 3 3 3
#include "../task.h"

int main(void) {
  int at = 0;
  for (int i = 0; i < 10; i++) {
    int v = __VERIFIER_nondet_int();
    __VERIFIER_assume(v >= -3 && v <= 3);
    at += v;
  }
  assert(at <= MUTANT(30, 29) && at >= -30);
  return 0;
}
