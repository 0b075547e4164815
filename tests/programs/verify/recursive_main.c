// main calls itself.
// verdict: FALSE
#include "verifier.h"

static int depth, sum;

int main(int argc, char **argv) {
  unsigned char k = __VERIFIER_nondet_uchar() & 1;
  int mine = depth;
  sum += k;
  if (depth < 3) {
    depth++;
    main(argc, argv);
  }
  // expect: TRUE @+1
  assert(mine <= 3);
  if (mine == 0) {
    // expect: FALSE @+1
    assert(sum != 4);
  }
  if (mine == 0 && !k) {
    // expect: TRUE @+1
    assert(sum < 4);
  }
}
