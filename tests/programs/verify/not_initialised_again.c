// A variable of a loop's body is a new one in each iteration.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 2; i++) {
    int t;
    if (i == 0) t = 1;
    if (k & 1) {
      // expect: FALSE @+1
      assert(t == 1);
    }
  }
}
