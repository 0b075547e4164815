// Lines of all kinds, also those that leave no instruction behind.
#include "../verify/verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), y;
  // reach: REACHED line @+1
  y = 1;
  if (x > 10) {
    // reach: REACHED line @+1
    y = 2;
  } else if (x > 20) {
    // reach: UNREACHABLE line @+1
    y = 3;
  }
  // reach: REACHED line @+1
  for (int i = 0; i < 3; i++)
    if (x == i)
      // reach: REACHED line @+1
      y += i;
  // reach: REACHED line @+1
  switch (y) {
    case 3:
      // reach: REACHED line @+1
      y = 1;
      break;
    case 7:
      // reach: UNREACHABLE line @+1
      return 7;
    default:
      y = 0;
  }
  while (y < 3) {
    // reach: REACHED line @+1
    y++;
  }
  if (y == 3)
    // reach: REACHED line @+1
    return 0;
  // reach: UNREACHABLE line @+1
  return 1;
}
