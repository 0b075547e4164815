// Values that were never set may be anything, in registers and in memory, before loops and in them.
#include "../verify/verifier.h"

static int unset(int set) {
  int x;
  if (set) x = 1;
  return x;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), x, y, count = 0, sum = 0, cells[3];
  unsigned word;
  ((char *)&word)[0] = 1;
  for (int i = 0; i < n && i < 2; i++) {
    if (x == 7) count++;
    cells[i] = 4;
    sum += unset(0);
    y = i ? y + 1 : 5;
  }
  // reach: REACHED label some
  if (count == 2) { some: return 1; }
  // reach: REACHED label last
  if (cells[2] == 77) { last: return 2; }
  // reach: REACHED label sum
  if (sum == 9) { sum: return 3; }
  // reach: REACHED label never
  if (n == 0 && y == 99) { never: return 4; }
  // reach: UNREACHABLE label set
  if (n == 2 && y == 99) { set: return 5; }
  // reach: REACHED label upper
  if (word == 0x201) { upper: return 6; }
  return 0;
}
