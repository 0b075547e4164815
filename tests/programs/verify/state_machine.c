// A loop over inputs: what holds in one iteration need not hold in the next.
// verdict: FALSE
#include "verifier.h"

enum { IDLE, ARMED, FIRED };

int main(void) {
  int state = IDLE, shots = 0;
  for (int i = 0; i < 5; i++) {
    unsigned char in = __VERIFIER_nondet_uchar();
    // expect: TRUE @+1
    assert(state != FIRED || i >= 2);
    switch (state) {
    case IDLE:
      if (in == 'a') state = ARMED;
      break;
    case ARMED:
      if (in == 'f') {
        state = FIRED;
        shots++;
      } else if (in == 'd')
        state = IDLE;
      break;
    case FIRED:
      state = IDLE;
    }
    // expect: TRUE @+1
    assert(state != FIRED || in == 'f');
    // expect: FALSE @+1
    assert(state != FIRED || i != 4);
  }
  // expect: FALSE @+1
  assert(shots != 1);
  // expect: TRUE @+1
  assert(shots <= 2);
}
