// A list of numbers that ends with zero or after a hundred.
// verdict: TRUE
// inputs: 1*100
#include "../task.h"

int main(void) {
  int read = 0, ended = 0;
  while (!ended) {
    int v = __VERIFIER_nondet_int();
    if (v == 0) break;
    read++;
    if (read MUTANT(>=, >) 100) ended = 1;
  }
  assert(read <= 100 MUTANT(, - 1));
  return 0;
}
