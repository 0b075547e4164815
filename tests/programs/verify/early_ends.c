// exit and abort end paths; what follows is about the others.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

static int positive(int x) {
  if (x <= 0) abort();
  return x;
}

int main(void) {
  int x = positive(__VERIFIER_nondet_int());
  // expect: TRUE @+1
  assert(x > 0);
  if (x > 100) exit(0);
  // expect: TRUE @+1
  assert(x <= 100);
  // expect: FALSE @+1
  assert(x != 100);
  __VERIFIER_assume(x % 2);
  // expect: TRUE @+1
  assert(x != 50);
  // expect: FALSE @+1
  assert(x != 51);
}
