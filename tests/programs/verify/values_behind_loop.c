// Registers of the last iterations, used behind a loop with two ways out and two ways back.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() & 7;
  int last = -1, i, even = 0, prior = -1, before_prior = -1;
  for (i = 0; i < 6; i++) {
    before_prior = prior;
    prior = last;
    last = i;
    if (i == n) break;
    if (i % 2 == 0) {
      even++;
      continue;
    }
    last = 100 + i;
  }
  if (i < 6) {
    // expect: TRUE @+1
    assert(last == n);
  }
  // expect: FALSE @+1
  assert(before_prior != 2);
  // expect: FALSE @+1
  assert(before_prior != 101);
  // expect: TRUE @+1
  assert(before_prior != 3);
  // expect: TRUE @+1
  assert(even != 3 || n > 4);
}
