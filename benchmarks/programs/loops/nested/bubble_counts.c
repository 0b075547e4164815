// Bubble sort's comparisons: as many as pairs, in constant loops.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  int count = 0;
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 60 - i - 1; j++) count++;
  assert(count == 1770 MUTANT(, + 1));
  return 0;
}
