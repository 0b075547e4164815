// A variable that keeps its value between calls.
// verdict: FALSE
#include "verifier.h"

static int next(int reset) {
  static int counter = 10;
  if (reset) counter = 0;
  return counter++;
}

int main(void) {
  int a = next(__VERIFIER_nondet_bool()), b = next(__VERIFIER_nondet_bool()), c = next(0);
  // expect: TRUE @+1
  assert(a == 0 || a == 10);
  // expect: TRUE @+1
  assert(b == 0 || b == a + 1);
  // expect: FALSE @+1
  assert(c != 12);
  // expect: TRUE @+1
  assert(c == b + 1);
  // expect: FALSE @+1
  assert(c > 1);
}
