// exit from a callee runs the handlers, _Exit does not; one of them is not always there.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

static int stage, *place = &stage;

static void first(void) {
  // expect: FALSE @+1
  assert(stage != 4);
}

static void second(void) {
  if (stage == 3)
    stage = 4;
  else if (stage == 1)
    // expect: TRUE @+1
    assert(place == &stage);
}

static void go(int k) {
  if (k == 1) exit(1);
  if (k == 2) _Exit(2);
  *place = 2;
}

int main(void) {
  atexit(first);
  unsigned char k = __VERIFIER_nondet_uchar() & 3;
  stage = 1;
  if (k & 1) atexit(second);
  for (int i = 0; i < 2; i++) {
    go(k);
    stage = 3;
  }
}
