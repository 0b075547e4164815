// Three tasks, ready flags by inputs, at most one runs.
// verdict: TRUE
// inputs: 1 2 0 5 1 2 1 5
#include "../task.h"

int main(void) {
  int ready[3] = {0, 0, 0}, running = -1, count = 0;
  for (;;) {
    unsigned event = __VERIFIER_nondet_uint();
    if (event < 3) ready[event] = 1;
    if (event == 5 && running MUTANT(< 0, < 1)) {
      for (int t = 0; t < 3; t++)
        if (ready[t]) {
          running = t;
          ready[t] = 0;
          count++;
          break;
        }
    }
    if (event == 6 && running >= 0) {
      running = -1;
      count--;
    }
    assert(count >= 0 && count <= 1);
    assert((running >= 0) == (count == 1));
  }
}
