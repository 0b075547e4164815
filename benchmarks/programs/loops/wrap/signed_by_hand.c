// A signed value that is wrapped by hand stays within its bounds.
// verdict: TRUE
// inputs: 100 2 0
#include "../task.h"

int main(void) {
  int v = 0, move;
  while ((move = __VERIFIER_nondet_int()) != 0) {
    if (move == 1)
      v++;
    else if (move == 2)
      v--;
    else if (move == 100)
      v = -128;
    if (v > 127) v = -128;
    if (v < MUTANT(-128, -129)) v = 127;
  }
  assert(v >= -128 && v <= 127);
  return 0;
}
