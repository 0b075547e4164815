// The number of the address of a struct that is passed by value, allocations the other way round.
// verdict: FALSE
#include "verifier.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct big {
  int a[8];
};

static int hash(struct big s) {
  if (((uintptr_t)&s >> 32) % 3 == 0) return 1;
  return 2;
}

int main(void) {
  _Bool w = __VERIFIER_nondet_bool();
  unsigned char k = __VERIFIER_nondet_uchar();
  char *earlier = 0;
  int r;
  struct big b;
  memset(&b, 0, sizeof b);
  if (!w)
    earlier = malloc(10);
  else
    r = 5;
  r = hash(b);
  // expect: TRUE @+1
  assert(r == 1 || r == 2);
  // expect: FALSE @+1
  assert(!(earlier && k == 3));
}
