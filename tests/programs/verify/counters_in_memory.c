// What a loop counts is in memory, and what is asserted of it changes from iteration to iteration.
// verdict: FALSE
#include "verifier.h"

static struct { int ups, downs; int history[4]; } record;
static void step(int up, int at) {
  if (up)
    record.ups++;
  else
    record.downs++;
  record.history[at] = up;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    // expect: TRUE @+1
    assert(record.ups + record.downs == i);
    // expect: FALSE @+1
    assert(record.ups < 3);
    step(__VERIFIER_nondet_bool(), i);
    // expect: TRUE @+1
    assert(i > 0 || record.ups < 2);
  }
  // expect: FALSE @+1
  assert(record.ups != 2 || record.history[0] || record.history[1]);
  // expect: TRUE @+1
  assert(record.ups != 4 || (record.history[0] && record.history[3]));
}
