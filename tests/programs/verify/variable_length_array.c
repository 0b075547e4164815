// An array whose length is a variable, written far from its start.
// model: ILP32
// verdict: FALSE
#include "verifier.h"

static int g;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  unsigned n = 3000;
  int a[n];
  a[2500] = 1;
  if (k > 60)
    a[2500] = 2;
  else
    g = 5;
  // expect: FALSE @+1
  assert(a[2500] == 1);
  // expect: TRUE @+1
  assert(a[2500] == 1 || g == 0);
}
