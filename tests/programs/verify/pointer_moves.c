// A pointer that inputs move while a loop writes through it.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int a = 0, b = 0, *p = &a;
  for (int i = 0; i < 4; i++) {
    *p += 1;
    if (__VERIFIER_nondet_bool()) p = p == &a ? &b : &a;
  }
  // expect: TRUE @+1
  assert(a + b == 4);
  // expect: TRUE @+1
  assert(a != 2 || b == 2);
  // expect: TRUE @+1
  assert(a >= 1);
  // expect: FALSE @+1
  assert(b != 3);
}
