// One of two sizes is too much: malloc fails on one path, not on the other.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  unsigned long n = k == 7 ? 1ul << 50 : 16;
  char *p = malloc(n);
  // expect: FALSE @+1
  assert(p != NULL);
}
