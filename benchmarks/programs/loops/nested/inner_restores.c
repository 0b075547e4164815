// What the inner loop takes the outer gives back.
// verdict: TRUE
// inputs: 1 1 0 0
#include "../task.h"

int main(void) {
  int stock = 12;
  while (__VERIFIER_nondet_bool()) {
    int taken = 0;
    while (stock > 0 && __VERIFIER_nondet_bool()) {
      stock--;
      taken++;
    }
    stock += MUTANT(taken, taken + (taken == 1));
  }
  assert(stock == 12);
  return 0;
}
