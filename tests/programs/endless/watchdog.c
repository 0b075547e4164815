// A timer is restarted by each sign of life, and fires when there was none for fifty rounds.
// twin: timer--; => timer -= timer > 25 ? 1 : 0;
// twin: (timer == 0) { => (timer == 1) {
#include "../verify/verifier.h"

int main(void) {
  unsigned timer = 50, silent = 0;
  unsigned long rounds = 0;
  while (1) {
    rounds++;
    if (__VERIFIER_nondet_bool()) {
      timer = 50;
      silent = 0;
    } else {
      timer--;
      silent++;
    }
    assert(silent <= 50);
    if (timer == 0) {
      assert(silent == 50);
      timer = 50;
      silent = 0;
    }
  }
}
