// Beyond an access that C does not define, anything may happen.
#include "../verify/verifier.h"

static int t[4];

int main(void) {
  unsigned char i = __VERIFIER_nondet_uchar();
  if (t[0] == 1)
    // reach: UNREACHABLE line @+1
    return 1;
  // reach: REACHED line @+1
  t[i & 3] = 2;
  if (i < 8) t[i] = 3;
  if (t[0] == 4)
    // reach: UNKNOWN line @+1 (undefined behaviour on the way (out-of-bounds)
    return 2;
  return 0;
}
