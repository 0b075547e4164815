// A loop with many continues: each is an edge back to its start.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int state = 0, steps = 0, bad = 0;
  while (steps < 5) {
    unsigned char c = __VERIFIER_nondet_uchar();
    steps++;
    switch (state) {
      case 0:
        if (c == 'a') {
          state = 1;
          continue;
        }
        break;
      case 1:
        state = c == 'b' ? 2 : 0;
        continue;
      case 2:
        if (c == 'c') {
          state = 3;
          continue;
        }
        if (c == 'a') {
          state = 1;
          continue;
        }
        state = 0;
        break;
      case 3:
        bad = 1;
        state = 4;
        continue;
    }
  }
  // expect: FALSE @+1
  assert(!bad);
  // expect: TRUE @+1
  assert(!(bad && steps < 5));
  // expect: TRUE @+1
  assert(!(state == 4 && !bad));
  // expect: FALSE @+1
  assert(state != 3);
}
