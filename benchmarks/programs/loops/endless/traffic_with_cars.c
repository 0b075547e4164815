// A traffic light with a timer, and cars that wait.
// verdict: TRUE
// inputs: 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

enum { RED, GREEN, YELLOW };
int main(void) {
  int s = RED, t = 0, cars = 0;
  while (1) {
    switch (s) {
      case RED: if (++t >= 30) { s = GREEN; t = 0; } break;
      case GREEN: if (__VERIFIER_nondet_bool() && cars < 100) cars++; if (++t >= 20) { s = YELLOW; t = 0; } break;
      case YELLOW: if (cars > 0) cars--; if (++t >= 5) { s = RED; t = 0; } break;
      default: reach_error(); 
    }
    __VERIFIER_assert(t < 30 && cars <= 100 && (s != YELLOW || t < MUTANT(5, 4)));
  }
}
