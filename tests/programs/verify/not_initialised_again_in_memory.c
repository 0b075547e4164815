// An array of a loop's body is a new one in each iteration; one that is left for a while is the same.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  int kept[2] = {7, 7};
  for (int i = 0; i < 2; i++) {
    int cells[2];
    if (i == 0) cells[0] = cells[1] = 5;
    // expect: TRUE @+1
    assert(kept[k & 1] == 7);
    // expect: FALSE @+1
    assert(cells[k & 1] == 5);
  }
}
