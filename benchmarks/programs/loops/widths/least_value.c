// Down to the least value of all, but not beyond.
// verdict: TRUE
// inputs:
// check: overflow
#include "../task.h"

int main(void) {
  int x = -2147480000;
  while (x MUTANT(>, >=) -2147483647 - 1) x--;
  return 0;
}
