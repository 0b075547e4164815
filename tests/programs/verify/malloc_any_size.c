// Whether there is so much memory depends on the size asked for.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  char *p = malloc(n);
  if (p == NULL) {
    // expect: FALSE @+1
    assert(n < 10);
  }
}
