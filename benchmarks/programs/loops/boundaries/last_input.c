// What is remembered is the last input that was positive.
// verdict: TRUE
// inputs: -3 4 0
#include "../task.h"

int main(void) {
  int last = 0, count = 0, v;
  while ((v = __VERIFIER_nondet_int()) != 0 && count < 1000000) {
    if (v > MUTANT(0, -4)) {
      last = v;
      count++;
    }
    if (count > 0) assert(last > 0);
  }
  return 0;
}
