// A variable that has no value is copied into one that has: whatever that had before, it may be anything now.
// verdict: FALSE
#include "verifier.h"

static int copy;

int main(void) {
  int nothing;
  copy = nothing;
  // expect: FALSE @+1
  assert(copy != 7);
  return 0;
}
