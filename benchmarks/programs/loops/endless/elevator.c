// An elevator between five floors, its door open only when it stands.
// verdict: TRUE
// inputs: 3 1 2
#include "../task.h"

int main(void) {
  int floor = 0, moving = 0, door = 0;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e == 1 && !moving) door = !door;
    if (e == 2 && !door MUTANT(, || e == 2 && floor == 0)) moving = 1;
    if (moving && e == 3 && floor < 4) floor++;
    if (moving && e == 4 && floor > 0) floor--;
    if (e == 5) moving = 0;
    assert(floor >= 0 && floor <= 4);
    assert(!(moving && door));
  }
}
