// A loop with two ways in.
#include "../verify/verifier.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int i = 0, passes = 0;
  if (n > 10) goto middle;
  while (i < 5) {
    i++;
  middle:
    passes++;
    if (passes > 20)
      // reach: UNREACHABLE line @+1
      return 1;
  }
  if (passes == 6)
    // reach: REACHED line @+1
    return 2;
  if (passes == 4)
    // reach: UNREACHABLE line @+1
    return 3;
  return 0;
}
