// The number of a local variable's address, on one side of a simple branch.
// verdict: FALSE
#include "verifier.h"
#include <stdint.h>
#include <stdlib.h>

static unsigned long mixed(unsigned char c, unsigned char n) {
  char buffer[3];
  buffer[0] = 1;
  unsigned long x;
  if (c & 1)
    x = ((uintptr_t)buffer >> 32) % 3 + 8;
  else
    x = (unsigned long)n * n + 5;
  return x;
}

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar(), n = __VERIFIER_nondet_uchar();
  char *earlier = 0;
  int r;
  if (!__VERIFIER_nondet_bool())
    earlier = malloc(10);
  else
    r = 5;
  if (mixed(c, n) == 8) {
    // expect: FALSE @+1
    assert(c < 77);
  }
}
