// A line of a macro and of a loop's head has code in several blocks: the first that is met counts.
#include "../verify/verifier.h"

#define CHECK(c) do { if (!(c)) failures++; } while (0)

static int failures;

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x < 0) return 0;
  // reach: REACHED line @+1
  CHECK(x >= 0);
  if (failures)
    // reach: UNREACHABLE line @+1
    for (int i = 0; i < 9; i++) y += i;
  // reach: REACHED line @+1
  for (int i = 0; i < x; i++) { if (i == 3) return 1; }
  return y;
}
