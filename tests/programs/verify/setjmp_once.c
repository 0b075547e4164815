// What a jump comes back to is decided like everything else.
// verdict: FALSE
#include "verifier.h"
#include <setjmp.h>

static jmp_buf back;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  int v = 0;
  if (k > 3) {
    if (setjmp(back) == 0) {
      v = k;
      longjmp(back, 1);
    }
    // expect: TRUE @+1
    assert(v == k);
  }
  // expect: FALSE @+1
  assert(v == 0);
}
