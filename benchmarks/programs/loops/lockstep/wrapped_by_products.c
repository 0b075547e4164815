// A linear relation that wrap-around cannot break.
// verdict: TRUE
// inputs: 2
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
  for (unsigned i = 0; i < n; i++) {
    x += 0x40000001u;
    y += 0x80000002u;
  }
  assert(MUTANT(y == 2 * x, y >= x));
  return 0;
}
