// One counter grows by one or by two while the other grows by one.
// verdict: TRUE
// inputs: 1 1 1 1 0
#include "../task.h"

int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_bool()) {
    y++;
    if (__VERIFIER_nondet_bool())
      x += 1;
    else
      x += 2;
    if (y > 1000000) break;
  }
  assert(x >= y);
  assert(x <= 2 * y MUTANT(, && x != y || y < 2));
  return 0;
}
