// Four clients by turns; the grant goes to one at a time, and to all in order.
// verdict: TRUE
// inputs: 1 1 1 1 1
#include "../task.h"

int main(void) {
  unsigned grant = 1, last = 8;
  while (1) {
    if (!__VERIFIER_nondet_bool()) continue;
    last = grant;
    grant = grant == MUTANT(8, 16) ? 1 : grant << 1;
    assert(grant == 1 || grant == 2 || grant == 4 || grant == 8);
    assert(grant != last);
  }
}
