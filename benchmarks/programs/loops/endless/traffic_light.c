// A traffic light: two directions are never green together.
// verdict: TRUE
// inputs: 1 1 1 1 1 1 1 1
#include "../task.h"

enum colour { RED, GREEN, YELLOW };

int main(void) {
  enum colour main_road = GREEN, side_road = RED;
  int next_main = 0;
  while (1) {
    if (!__VERIFIER_nondet_bool()) continue;
    if (main_road == GREEN)
      main_road = YELLOW;
    else if (main_road == YELLOW) {
      main_road = RED;
      side_road = GREEN;
    } else if (side_road == GREEN)
      side_road = YELLOW;
    else if (side_road == YELLOW) {
      side_road = MUTANT(RED, GREEN);
      main_road = GREEN;
    }
    assert(!(main_road == GREEN && side_road == GREEN));
  }
}
