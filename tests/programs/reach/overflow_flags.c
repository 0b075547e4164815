// Results that come in pairs: a sum, and whether it has overflowed.
#include "../verify/verifier.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0x7ffffff0, overflows = 0;
  for (int i = 0; i < n && i < 5; i++) {
    int next;
    if (__builtin_add_overflow(sum, 7, &next)) overflows++;
    sum = next;
  }
  // reach: REACHED label one
  if (overflows == 1 && n == 4) { one: return 1; }
  // reach: UNREACHABLE label two
  if (overflows == 2) { two: return 2; }
  return 0;
}
