// What holds from the second iteration on does not hold in the first, and the other way round.
// verdict: FALSE
#include "verifier.h"

static int memory = 9;

int main(void) {
  int first = 1, old = 5, n = 0, seen = 0, *p = &first;
  while (n < 5) {
    unsigned char c = __VERIFIER_nondet_uchar() & 1;
    if (*p) {
      if (c) seen |= 1;
    } else {
      if (c) seen |= 2;
      if (memory == 9) seen |= 4;
      if (old == 5) seen |= 8;
    }
    memory = n == 3 ? 9 : c;
    old = c ? 5 : 6;
    first = 0;
    n++;
    if (c && n > 3) break;
  }
  // expect: FALSE @+1
  assert(!(seen & 4));
  // expect: FALSE @+1
  assert(!(seen & 8));
  if (!(seen & 2)) {
    // expect: TRUE @+1
    assert(seen <= 15 && (seen & 8) == (seen & 1) * 8);
  }
  // expect: TRUE @+1
  assert(n >= 4);
  // expect: TRUE @+1
  assert(n != 4 || (seen & 2));
}
