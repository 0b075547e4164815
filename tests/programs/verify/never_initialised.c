// What was never set may be anything, but is the same each time it is read.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  int x, a[3], *p = k & 1 ? &x : a;
  char *h = malloc(4);
  if (k & 2) x = 3;
  if (k & 4) a[0] = 5;
  int v = *p, w = *p;
  // expect: TRUE @+1
  assert(v == w);
  if ((k & 3) == 3) {
    // expect: TRUE @+1
    assert(v == 3);
  }
  if (k & 1) {
    // expect: FALSE @+1
    assert(v == 3);
  }
  int q = h[0];
  if (k & 8) h[1] = 2;
  if (k & 16) h[0] = 2;
  if (!(k & 16))
    // expect: TRUE @+1
    assert(h[0] == q);
  else
    // expect: TRUE @+1
    assert(h[0] == 2);
}
