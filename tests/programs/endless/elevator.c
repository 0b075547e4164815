// An elevator that never moves with an open door, and stays between its floors.
// twin: if (!open) floor++; => floor++;
// twin: floor < 3 => floor <= 3
#include "../verify/verifier.h"

int main(void) {
  int floor = 0, door_timer = 0, direction = 0;
  _Bool open = 1, called[4] = {0};
  while (1) {
    unsigned char button = __VERIFIER_nondet_uchar();
    int before = floor, was_open = open;
    if (button < 4) called[button] = 1;
    if (open) {
      if (door_timer > 0) door_timer--;
      else open = 0;
    } else if (called[floor & 3]) {
      called[floor & 3] = 0;
      open = 1;
      door_timer = 2;
    }
    direction = called[3] || called[2] ? 1 : called[0] || called[1] ? -1 : 0;
    if (direction > 0 && floor < 3) { if (!open) floor++; }
    else if (direction < 0 && floor > 0) { if (!open) floor--; }
    assert(floor >= 0 && floor <= 3);
    assert(floor == before || !was_open || !open);
    assert(floor == before || !open);
  }
}
