// Each iteration reads what the one before it has written.
// verdict: FALSE
#include "verifier.h"

static int run[6];

int main(void) {
  for (int i = 0; i < 5; i++) {
    if (__VERIFIER_nondet_uchar() > 200)
      run[i + 1] = run[i] + 1;
    else
      run[i + 1] = 0;
    // expect: TRUE @+1
    assert(run[i + 1] <= i + 1);
    if (i == 4)
      // expect: FALSE @+1
      assert(run[5] != 5);
  }
  // expect: TRUE @+1
  assert(run[0] == 0);
  // expect: FALSE @+1
  assert(run[3] != 2);
  // expect: TRUE @+1
  assert(run[4] != 3 || run[3] == 2);
}
