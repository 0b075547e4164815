// What is to be done once is done once.
// verdict: TRUE
// inputs: 1 0 1
#include "../task.h"

int main(void) {
  int done = 0, times = 0;
  while (times < 100) {
    int go = __VERIFIER_nondet_int();
    if (go == 1 && !done) {
      times++;
      done = 1;
    }
    if (go == MUTANT(2, 0) && done) done = MUTANT(1, 0);
    if (go == 3) break;
    assert(times <= 1);
  }
  return 0;
}
