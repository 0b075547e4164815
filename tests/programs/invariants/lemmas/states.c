// An automaton in globals that never ends by itself.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

static int state, locked;
static unsigned held;

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    if (state == 0) {
      if (__VERIFIER_nondet_bool()) { state = 1; locked = 1; }
    } else if (state == 1) {
      held += 2;
      if (held > 1000) state = 2;
    } else {
      state = 0;
#ifndef MUTANT
      locked = 0;
#endif
      held = 0;
    }
    assert(locked == (state != 0));
    assert(held % 2 == 0);
    assert(state != 0 || held == 0);
  }
}
