// At the bound the direction turns; the step is added after the turn.
// verdict: TRUE
// inputs: 15
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int at = 0, step = 1;
  for (unsigned i = 0; i < n; i++) {
    if (at == 7) step = -1;
    if (at == MUTANT(0, -1)) step = 1;
    at += step;
    assert(at >= 0 && at <= 7);
  }
  return 0;
}
