// Values of one and two iterations ago; values that go around.
// chains: yes
#include "../verify/verifier.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), previous = 0, current = 0, x = 1, y = 2, z = 3, flag = 0, odd = 0;
  for (int i = 0; i < n && i < 7; i++) {
    int first = x;
    previous = current;
    current = 2 * i;
    x = y;
    y = z;
    z = first;
    if (flag) odd++;
    flag = !flag;
  }
  // reach: REACHED label lag
  if (previous == 6 && current == 8) { lag: return 1; }
  // reach: UNREACHABLE label same
  if (previous == current && n > 1) { same: return 2; }
  // reach: REACHED label around
  if (x == 3 && y == 1 && odd == 1) { around: return 3; }
  // reach: UNREACHABLE label none
  if (x + y + z != 6) { none: return 4; }
  return 0;
}
