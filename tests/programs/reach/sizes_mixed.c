// Bytes, halves and words of one array; an object of which one place is not known.
#include "../verify/verifier.h"

static unsigned char bytes[8];
static int cells[4], step;

int main(void) {
  unsigned k = __VERIFIER_nondet_uint() % 4;
  for (int i = 0; i < 3; i++) {
    *(unsigned short *)(bytes + 1) += 0x80;
    bytes[2]++;
    if (__VERIFIER_nondet_int() == 1) *(unsigned *)bytes += 1;
    cells[k] += step;
    step++;
    cells[1] += 10;
  }
  // reach: REACHED label bytes
  if (bytes[0] == 2 && bytes[1] == 0x80 && bytes[2] == 4) { bytes: return 1; }
  // reach: REACHED label cells
  if (cells[1] == 33) { cells: return 2; }
  // reach: UNREACHABLE label between
  if (cells[1] == 31) { between: return 3; }
  return 0;
}
