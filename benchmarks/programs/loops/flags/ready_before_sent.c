// Nothing is sent before all is ready.
// verdict: TRUE
// inputs: 0 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int main_in = __VERIFIER_nondet_int();
  unsigned char ready = 0, sent = 0; unsigned acks = 0;
  while (1) {
    int ev = __VERIFIER_nondet_int();
    if (ev == 0) { if (!ready) ready = 1; }
    else if (ev == 1) { if (ready && !sent) { sent = 1; } }
    else if (ev == 2) { if (sent) { acks++; sent = 0; ready = MUTANT(0, acks > 0); } }
    else if (ev == 99) break;
    __VERIFIER_assert(!sent || ready);
    MUTANT(, __VERIFIER_assert(!(ready && !sent && ev == 0 && acks == 0 && main_in == 0));)
  }
  return 0;
}
