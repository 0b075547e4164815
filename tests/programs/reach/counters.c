// What loops count decides about what is below them.
#include "../verify/verifier.h"

int main(void) {
  unsigned char t[6], n = __VERIFIER_nondet_uchar();
  int i, zeros = 0, big = 0;
  for (i = 0; i < 6; i++) t[i] = __VERIFIER_nondet_uchar();
  for (i = 0; i < 6; i++) {
    if (t[i] == 0) zeros++;
    if (t[i] > 200) big++;
  }
  if (zeros == 4 && big == 2)
    // reach: REACHED line @+1
    return 1;
  if (zeros + big > 6)
    // reach: UNREACHABLE line @+1
    return 2;
  for (i = 0; i < n; i += 4)
    if (i > 40) break;
  if (i == 15)
    // reach: UNREACHABLE line @+1
    return 3;
  if (i == 44)
    // reach: REACHED line @+1
    return 4;
  return 0;
}
