// Functions that run before main, in their order, and one that runs after it.
// verdict: FALSE
#include "verifier.h"

static int x = 1, y;

__attribute__((constructor(101))) static void earlier(void) {
  x = 5;
  y = __VERIFIER_nondet_uchar();
  if (y > 10) x = 6;
}

__attribute__((constructor(102))) static void later(void) {
  // expect: TRUE @+1
  assert(x != 1);
  if (y == 3) x = 7;
}

__attribute__((destructor)) static void last(void) {
  // expect: FALSE @+1
  assert(x != 8);
}

int main(void) {
  if (x == 5) {
    // expect: TRUE @+1
    assert(y <= 10 && y != 3);
  }
  // expect: FALSE @+1
  assert(x != 7);
  if (y == 20) x = 8;
}
