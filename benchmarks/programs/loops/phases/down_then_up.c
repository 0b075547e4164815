// An absolute value, slowly: first down to zero, then as far up.
// verdict: TRUE
// inputs: 4
#include "../task.h"

int main(void) {
  int start = __VERIFIER_nondet_int();
  __VERIFIER_assume(start > 0 && start < 1000000);
  int x = start, up = 0, t = 0;
  while (x >= 0 && t < 2 * start) {
    if (!up) {
      x--;
      if (x == 0) up = 1;
    } else
      x++;
    t++;
  }
  assert(x == start MUTANT(, - (start == 4)));
  return 0;
}
