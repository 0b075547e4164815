// The number of the address of a variable-length array, allocations the other way round.
// verdict: FALSE
#include "verifier.h"
#include <stdint.h>
#include <stdlib.h>

static int hash(unsigned n) {
  char v[n];
  v[0] = 1;
  if (((uintptr_t)v >> 32) % 3 == 0) return 1;
  return 2;
}

int main(void) {
  _Bool w = __VERIFIER_nondet_bool();
  unsigned char k = __VERIFIER_nondet_uchar();
  char *earlier = 0;
  int r;
  if (!w)
    earlier = malloc(10);
  else
    r = 5;
  r = hash(k % 4 + 1);
  // expect: TRUE @+1
  assert(r == 1 || r == 2);
  // expect: FALSE @+1
  assert(!(earlier && k == 3));
}
