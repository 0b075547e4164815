/* As several_safe, but the cursor leaves the last row: one of the six assertions fails, and only that one. */
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
  int width = clamp(__VERIFIER_nondet_int(), 1, 80);
  int height = clamp(__VERIFIER_nondet_int(), 1, 25);
  int column = clamp(__VERIFIER_nondet_int(), 0, width - 1);
  int row = clamp(__VERIFIER_nondet_int(), 0, height - 1);
  assert(column < width);
  assert(row < height);
  int cell = row * width + column;
  assert(cell >= 0);
  assert(cell < 2000);
  if (column == width - 1) {
    column = 0;
    row++;
  } else {
    column++;
  }
  assert(row < height);
  assert(column < width);
  return 0;
}
