// The running minimum of inputs goes down only.
// verdict: TRUE
// inputs: 5 6
#include "../task.h"

int main(void) {
  int last = 2147483647;
  while (1) {
    int v = __VERIFIER_nondet_int();
    int least = v < last ? v : MUTANT(last, v);
    assert(least <= last);
    last = least;
    if (v == 0) break;
  }
  return 0;
}
