// A flag that was set once stays; the sum stops then.
// verdict: TRUE
// inputs: 1*7 0
#include "../task.h"

int main(void) {
  int stop = 0, sum = 0, before = 0;
  for (int i = 0; i < 1000; i++) {
    if (!__VERIFIER_nondet_bool()) stop = 1;
    before = sum;
    if (!stop) sum++;
    if (stop) assert(sum == before MUTANT(, && sum != 7));
  }
  return 0;
}
