// A total kept beside its parts.
// verdict: TRUE
// inputs: 1*7 3
#include "../task.h"

int main(void) {
  unsigned red = 0, blue = 0, all = 0;
  for (;;) {
    int which = __VERIFIER_nondet_int();
    if (which == 0) break;
    if (which == 1) red++;
    if (which == 2) blue++;
    if (which == 1 || which == 2 MUTANT(, || red == 7)) all++;
    assert(all == red + blue);
    if (all == 1000) break;
  }
  return 0;
}
