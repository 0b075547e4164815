// The counter is also changed through a pointer.
// verdict: TRUE
// inputs: 1
#include "../task.h"

int main(void) {
  int i = 0, other = 0, rounds = 0;
  int *p = __VERIFIER_nondet_bool() ? MUTANT(&other, &i) : &other;
  while (i < 1000) {
    i++;
    *p += 1;
    rounds++;
  }
  assert(rounds == 1000);
  return 0;
}
