// An endless loop behind the target: paths are not followed to where nothing leads to it any more.
#include "../verify/verifier.h"

static unsigned ticks;

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 5 && x < 7)
    // reach: REACHED line @+1
    ticks = 1;
  if (x > 6 && x < 6)
    // reach: UNREACHABLE line @+1
    ticks = 2;
  for (;;)
    ticks++;
}
