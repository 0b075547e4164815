// Arithmetic wraps around, signed as well, and values that were never written may be anything.
#include "../verify/verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), never_written;
  unsigned char c = __VERIFIER_nondet_uchar();
  if (x > 0 && x + 1 < 0)
    // reach: REACHED line @+1
    return 1;
  if (never_written == 42)
    // reach: REACHED line @+1
    return 2;
  c += 200;
  if (c < 10)
    // reach: REACHED line @+1
    return 3;
  if (x * 2 == 7)
    // reach: UNREACHABLE line @+1
    return 4;
  return 0;
}
