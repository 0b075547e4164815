// At most five requests per window.
// verdict: TRUE
// inputs: 1 1 1 1 1 1
#include "../task.h"

int main(void) {
  int in_window = 0, tick = 0;
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e == 1 && in_window MUTANT(<, <=) 5) in_window++;
    if (e == 2) {
      tick = (tick + 1) % 60;
      if (tick == 0) in_window = 0;
    }
    assert(in_window <= 5);
  }
}
