// Nested loops over a cell that was written at an unknown index, run twice: two unknown values, not one.
#include "../verify/verifier.h"

static int cells[4], limit;

static int has_five(void) {
  int found = 0, i = 0;
  do {
    int j = 0;
    do {
      if (cells[0] == 5) found = 1;
      if (limit > 100) cells[0] = 0;
      j++;
    } while (j < 2);
    i++;
  } while (i < 2);
  return found;
}

int main(void) {
  unsigned k = __VERIFIER_nondet_uint() % 4;
  limit = __VERIFIER_nondet_uchar() % 10;
  cells[k] = __VERIFIER_nondet_int();
  int before = has_five();
  cells[k] = __VERIFIER_nondet_int();
  // reach: REACHED label differ
  if (before != has_five()) { differ: return 1; }
  return 0;
}
