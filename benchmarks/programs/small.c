/* Twenty lines that a newcomer might try first. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int clamp(int value, int low, int high) {
  if (value < low)
    return low;
  if (value > high)
    return high;
  return value;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = clamp(x, -10, 10);
  assert(y >= -10 && y <= 10);
  return 0;
}
