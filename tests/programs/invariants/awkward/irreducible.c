// A loop with two entries: invariants hold whichever of them is taken.
// says: x + y == 10
#include "../verifier.h"

int main(void) {
  int x = 0, y = 10;
  if (__VERIFIER_nondet_bool()) goto middle;
  while (y > 0) {
    x++;
    y--;
  middle:
    if (x == 7) break;
  }
  return x;
}
