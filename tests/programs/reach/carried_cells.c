// Cells that take each other's values; cells of one array, some of them at places that are not known.
#include "../verify/verifier.h"

static int cells[3], counts[3];

int main(void) {
  int full = 0;
  for (int i = 0; i < 4; i++) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) cells[0] = cells[1] + 1;
    else if (x == 2) cells[1] = cells[2] + 2;
    else if (x == 3) cells[2] = cells[0];
  }
  // reach: REACHED label around
  if (cells[2] == 3) { around: return 1; }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) counts[__VERIFIER_nondet_uint() % 3]++;
    if (counts[0] == 2) full++;
    counts[0] = 0;
  }
  // reach: REACHED label twice
  if (full == 2) { twice: return 2; }
  // reach: UNREACHABLE label left
  if (counts[0] != 0) { left: return 3; }
  return 0;
}
