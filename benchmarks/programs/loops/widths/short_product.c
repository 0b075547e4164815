// Shorts are promoted before they are multiplied.
// verdict: TRUE
// inputs: -32768
#include "../task.h"

int main(void) {
  short s = __VERIFIER_nondet_short();
  int total = 0;
  for (int i = 0; i < 2; i++) total += s * s / 2;
  assert(total >= 0 && total <= MUTANT(1073741824, 1073741823));
  return 0;
}
