// Loops that never end, and on which no assertion depends.
// verdict: TRUE
// plain: no
#include "verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 1000)
    for (;;) y += __VERIFIER_nondet_int();
  // expect: TRUE @+1
  assert(x <= 1000);
  if (x == 7) {
    // expect: TRUE @+1
    assert(y == 0);
    while (__VERIFIER_nondet_bool()) y++;
  }
}
