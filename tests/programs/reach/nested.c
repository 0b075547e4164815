// Nested loops, with the target inside, between and behind them; a bound that an outer loop changes.
#include "../verify/verifier.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() & 3;
  int i, j, inner = 0, outer = 0;
  for (i = 0; i < n; i++) {
    for (j = 0; j <= i; j++) {
      inner++;
      if (inner == 6 && j == 2)
        // reach: REACHED line @+1
        outer += 10;
      if (inner == 5 && j == 2)
        // reach: UNREACHABLE line @+1
        outer += 20;
    }
    outer++;
  }
  if (outer == 13)
    // reach: REACHED line @+1
    return 1;
  if (outer == 12)
    // reach: UNREACHABLE line @+1
    return 2;
  return 0;
}
