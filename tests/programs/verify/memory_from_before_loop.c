// A state machine in a callee: some of what it reads was written before the loop, some in it.
// verdict: FALSE
#include "verifier.h"

static int a[4] = {1, 2, 3, 4}, *current = a, state;

static void step(int c) {
  if (state == 0 && c) {
    state = 1;
    current = a + 1;
  } else if (state == 1 && !c) {
    state = 2;
    *current = 9;
  } else if (state == 2) {
    current = a + 2;
  }
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    unsigned char c = __VERIFIER_nondet_uchar() & 1;
    int before = state, value = *current;
    step(c);
    if (before == 0 && !c) {
      // expect: TRUE @+1
      assert(state == 0 && *current == 1);
    }
    if (before == 1) {
      // expect: TRUE @+1
      assert(value == 2);
    }
    if (before == 2 && i == 2) {
      // expect: TRUE @+1
      assert(value == 9);
    }
    if (before == 2) {
      // expect: FALSE @+1
      assert(value != 3);
    }
  }
  // expect: TRUE @+1
  assert(a[1] == 2 || state == 2);
  // expect: FALSE @+1
  assert(a[1] == 2);
}
