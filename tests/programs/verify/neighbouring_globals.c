// Global arrays that fill their pages, one behind the other.
// model: ILP32
// verdict: FALSE
#include "verifier.h"

static int before[1024], array[1024], behind[1024], other;
static const int fixed[1024] = {1, 2};

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  array[k & 3] = fixed[1];
  before[k & 3] = fixed[k & 3];
  behind[k & 3] = 1;
  array[0] = 1;
  if (k > 60)
    other = 5;
  else
    array[0] = 2;
  // expect: FALSE @+1
  assert(array[0] == 1);
  // expect: TRUE @+1
  assert(array[0] == 2 || other == 5);
  // expect: TRUE @+1
  assert(behind[2] == 0 || (k & 3) == 2);
}
