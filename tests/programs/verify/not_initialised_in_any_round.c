// What nobody writes to has another value in each iteration, where it is declared in there.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int first = 0, last = 0, before[3];
  unsigned char k = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 2; i++) {
    int cells[3];
    if (i == 0) {
      first = cells[1];
      last = before[k % 3];
    } else {
      // expect: TRUE @+1
      assert(before[k % 3] == last);
      // expect: FALSE @+1
      assert(cells[1] == first);
    }
  }
  for (int i = 0; i < 2; i++) {
    int cells[3];
    if (i == 0) {
      first = cells[k % 3];
    } else {
      // expect: FALSE @+1
      assert(cells[k % 3] == first);
    }
  }
}
