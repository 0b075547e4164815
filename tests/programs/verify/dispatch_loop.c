// In every iteration another function may be called.
// verdict: FALSE
#include "verifier.h"

static int s;
static void one(void) { s += 1; }
static void three(void) { s += 3; }
static void reset(void) {
  if (s > 3) s = 0;
}

int main(void) {
  void (*table[])(void) = {one, three, reset};
  for (int i = 0; i < 3; i++) table[__VERIFIER_nondet_uchar() % 3]();
  // expect: TRUE @+1
  assert(s <= 9);
  // expect: TRUE @+1
  assert(s != 8);
  // expect: FALSE @+1
  assert(s != 7);
  // expect: FALSE @+1
  assert(s != 9);
}
