// A table that is filled in one loop and read in the next.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  int table[1000];
  for (int i = 0; i < 1000; i++) table[i] = 7;
  MUTANT(, table[999] = 8;)
  for (int i = 0; i < 1000; i++) assert(table[i] == 7);
  return 0;
}
