// A counter that saturates at both ends, by inputs.
// verdict: TRUE
// inputs: 1 1 1 1 1
#include "../task.h"

int main(void) {
  int level = 2;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e > 0 && level < MUTANT(5, 6)) level++;
    if (e < 0 && level > 0) level--;
    if (e == 0) break;
    assert(level >= 0 && level <= 5);
  }
  return 0;
}
