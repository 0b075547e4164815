// Bresenham: the error term stays small, and so the line is near.
// verdict: TRUE
// inputs: 10 4
#include "../task.h"

int main(void) {
  int dx = __VERIFIER_nondet_int(), dy = __VERIFIER_nondet_int();
  __VERIFIER_assume(dx > 0 && dx <= 30 && dy >= 0 && dy <= dx);
  int error = 2 * dy - dx, y = 0;
  for (int x = 0; x < dx; x++) {
    if (error > 0) {
      y++;
      error -= 2 * dx;
    }
    error += 2 * dy;
  }
  assert(y MUTANT(<=, <) dy);
  return 0;
}
