// The number of an address depends on what was allocated before: something on the first way.
// verdict: FALSE
#include "verifier.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  _Bool w = __VERIFIER_nondet_bool();
  unsigned char k = __VERIFIER_nondet_uchar();
  char *earlier = 0;
  int r;
  if (w)
    earlier = malloc(10);
  else
    r = 5;
  char *p = malloc(3);
  if (((uintptr_t)p >> 32) % 3 == 0)
    r = 1;
  else
    r = 2;
  // expect: TRUE @+1
  assert(r == 1 || r == 2);
  // expect: FALSE @+1
  assert(!(earlier && k == 3));
}
