// Two counters over a million constant rounds; one begins later.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  long long a = 0, b = MUTANT(5, 6);
  for (int i = 0; i < 1000000; i++) {
    a += 5;
    b += 5;
  }
  if (b - a != 5) reach_error();
  return 0;
}
