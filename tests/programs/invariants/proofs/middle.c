// Halving an interval: the middle is inside.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
#ifdef WRAPS
  signed char low = 0, high = __VERIFIER_nondet_uchar() & 127, start = high;
#else
  int low = 0, high = __VERIFIER_nondet_int(), start = high;
#endif
  if (high < 0) return 0;
  while (low < high) {
#ifdef WRAPS
    signed char middle = (signed char)(low + high) / 2;
#else
    int middle = low + (high - low) / 2;
#endif
#ifndef MUTANT
    assert(low <= middle && middle < high);
#endif
    if (__VERIFIER_nondet_bool())
#ifdef MUTANT
      low = middle + 2;
#else
      low = middle + 1;
#endif
    else
      high = middle;
  }
#ifndef WRAPS
  assert(low == high && 0 <= low && high <= start);
#endif
}
