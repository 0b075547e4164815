// Two lights that must not both let traffic through, with a timer and a sensor.
// twin: ns = RED; => ;
// twin: timer >= 2) { ew = RED; => timer >= 2) {
#include "../verify/verifier.h"

enum { RED, GREEN, YELLOW };

int main(void) {
  int ns = GREEN, ew = RED, timer = 0;
  while (1) {
    int car = __VERIFIER_nondet_int();
    timer++;
    if (ns == GREEN && (timer >= 4 || car)) { ns = YELLOW; timer = 0; }
    else if (ns == YELLOW && timer >= 2) { ns = RED; ew = GREEN; timer = 0; }
    else if (ew == GREEN && timer >= 3) { ew = YELLOW; timer = 0; }
    else if (ew == YELLOW && timer >= 2) { ew = RED; ns = GREEN; timer = 0; }
    assert(ns == RED || ew == RED);
    assert(timer < 4);
  }
}
