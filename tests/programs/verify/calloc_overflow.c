// calloc fails where its product is too big.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 5 || n > (1ul << 62));
  char *p = calloc(n, 8);
  // expect: FALSE @+1
  assert(p != NULL);
}
