// x never passes y, although both move by inputs and only differences matter.
// verdict: TRUE
// inputs: 1*12
#include "../task.h"

int main(void) {
  int x = 0, y = 10, z = 0;
  while (__VERIFIER_nondet_bool()) {
    if (x < y MUTANT(-, +) 1) {
      x += 2;
      y += 1;
      z += 1;
    } else {
      y += 1;
    }
    if (z > 1000000 || y > 1000000) break;
    assert(x <= y);
  }
  return 0;
}
