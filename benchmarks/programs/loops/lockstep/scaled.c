// 4a = b + 3c is kept by updates of all three.
// verdict: TRUE
// inputs: 1 0 0
#include "../task.h"

int main(void) {
  int a = 1, b = 1, c = 1;
  while (a < 1000000 && __VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      a += 1;
      b += 1;
      c += 1;
    } else {
      a += 3;
      c += 4;
    }
  }
  assert(4 * a == b + 3 * c MUTANT(, && c != 5));
  return 0;
}
