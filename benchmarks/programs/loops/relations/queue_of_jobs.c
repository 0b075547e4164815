// Jobs are waiting, running or done; none is lost.
// verdict: TRUE
// inputs: 1 2 3 4
#include "../task.h"

int main(void) {
  int waiting = 0, running = 0, done = 0, created = 0;
  while (created < 100000) {
    int e = __VERIFIER_nondet_int();
    if (e == 1) {
      created++;
      waiting++;
    } else if (e == 2 && waiting > 0) {
      waiting--;
      running++;
    } else if (e == 3 && running > 0) {
      running--;
      done++;
    } else if (e == 4 && MUTANT(running > 0, done > 0)) {
      running--;
      waiting++;
    }
    assert(waiting >= 0 && running >= 0 && done >= 0);
    assert(waiting + running + done == created);
  }
  return 0;
}
