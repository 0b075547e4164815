// Bit-fields next to each other, a _Bool, and an integer of 128 bits.
// verdict: FALSE
#include "verifier.h"

static struct {
  unsigned a : 3;
  int b : 5;
  _Bool c : 1;
} s;
static _Bool flag;
static unsigned __int128 wide;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  s.a = k & 7;
  if (k & 8)
    s.b = -3;
  else
    s.c = 1;
  flag = k & 16;
  if (k & 32) flag = !flag;
  wide = k;
  wide <<= 64;
  if (k & 64)
    wide |= 5;
  else
    wide += 6;
  if (s.b == -3) {
    // expect: TRUE @+1
    assert(!s.c);
  }
  if (flag) {
    // expect: TRUE @+1
    assert(((k >> 4) & 3) == 1 || ((k >> 4) & 3) == 2);
  }
  // expect: FALSE @+1
  assert(!(s.a == 5 && s.c && flag));
  // expect: TRUE @+1
  assert((unsigned long)wide == 5 || (unsigned long)wide == 6);
  // expect: TRUE @+1
  assert((unsigned long)wide != 5 || (wide >> 64) >= 64);
}
