// Four gears by speed: never more than ten above the limit of the last.
// verdict: TRUE
// inputs: 1*200
#include "../task.h"

int main(void) {
  int speed = 0, gear = 1;
  while (__VERIFIER_nondet_bool()) {
    if (speed < 20) {
      gear = 1;
      speed += 1;
    } else if (speed < 50) {
      gear = 2;
      speed += 3;
    } else if (speed < 90) {
      gear = 3;
      speed += 4;
    } else if (speed < 120) {
      gear = 4;
      speed += 2;
    } else
      speed -= 10;
    assert(speed >= 0 && speed <= MUTANT(121, 119) && gear <= 4);
  }
  return 0;
}
