// Four counters by different steps: all linear in the first.
// verdict: TRUE
// inputs: 40
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned a = 0, b = 10, c = 0, d = 1000000;
  while (a < n) {
    a += 1;
    b += 3;
    c += 7;
    d -= 2;
  }
  assert(b == 3 * a + 10);
  assert(c + d == 5 * a + MUTANT(1000000, 1000000 + (a == 40)));
  return 0;
}
