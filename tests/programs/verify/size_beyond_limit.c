// Of big sizes only one is tried, so nothing is known of what follows.
// verdict: UNKNOWN
// reason: sizes above 4096
#include "verifier.h"
#include <stdlib.h>

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n > 5000 && n < 100000);
  char *p = malloc(n);
  // expect: UNKNOWN @+1
  assert(n != 77777);
  free(p);
}
