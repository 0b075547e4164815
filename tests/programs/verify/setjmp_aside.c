// setjmp is not supported, on one path of two.
// verdict: UNKNOWN
// reason: setjmp
#include "verifier.h"
#include <setjmp.h>

static jmp_buf back;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  int v = 0;
  if (k > 3) {
    if (setjmp(back) == 0) longjmp(back, 1);
    v = 1;
  }
  // expect: UNKNOWN @+1
  assert(v == 0);
}
