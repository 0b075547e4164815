// A constant loop that goes below zero by less than its step.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  int level = 100000000;
  while (level > 0) level -= 7;
  assert(level > MUTANT(-7, -5));
  return 0;
}
