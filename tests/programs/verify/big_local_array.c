// The far end of a big local array is the same object as its start.
// model: ILP32
// verdict: FALSE
#include "verifier.h"

static int g;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  int a[100000];
  a[90000] = 1;
  if (k > 60)
    a[90000] = 2;
  else
    g = 5;
  // expect: FALSE @+1
  assert(a[90000] == 1);
  // expect: TRUE @+1
  assert(a[90000] == 1 || g == 0);
}
