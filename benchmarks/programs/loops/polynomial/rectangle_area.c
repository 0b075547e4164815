// An area by rows, each of an input width.
// verdict: TRUE
// inputs: 4 6
#include "../task.h"

int main(void) {
  unsigned short w = __VERIFIER_nondet_ushort(), h = __VERIFIER_nondet_ushort();
  unsigned area = 0, rows = 0;
  while (rows < h) {
    area += w;
    rows++;
  }
  assert(area == (unsigned)w * h MUTANT(, + (w == 4 && h == 6)));
  return 0;
}
