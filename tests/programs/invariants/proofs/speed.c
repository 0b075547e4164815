// A vehicle makes at most four steps per second: its distance is bounded by time, however long it drives.
// verdict: TRUE
// MUTANT: FALSE
#include "../verifier.h"

int main(void) {
  int distance = 0, speed = 0, time = 0;
  for (int i = 0; i < 100000000; i++) {
    if (__VERIFIER_nondet_bool()) {
      time++;
      speed = 0;
#ifdef MUTANT
    } else if (speed <= 4) {
#else
    } else if (speed < 4) {
#endif
      speed++;
      distance++;
    }
    assert(speed <= 4);
    assert(distance <= 4 * time + speed);
  }
}
