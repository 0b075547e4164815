// break, continue, and values that outlive their loops.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int grid[3][3], last = -1, found = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) grid[i][j] = i == j;
  unsigned row = __VERIFIER_nondet_uchar() % 3, skip = __VERIFIER_nondet_uchar() % 3;
  for (int i = 0; i < 3; i++) {
    if (i == skip) continue;
    int j;
    for (j = 0; j < 3; j++)
      if (grid[i][j]) break;
    // expect: TRUE @+1
    assert(j == i);
    last = j;
    if (i == row) {
      found = 1;
      break;
    }
  }
  // expect: TRUE @+1
  assert(!found || last == row);
  // expect: TRUE @+1
  assert(found == (row != skip));
  // expect: FALSE @+1
  assert(last != 1 || found);
  // expect: FALSE @+1
  assert(found);
}
