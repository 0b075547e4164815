// The sum of the first n odd numbers is a square.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 1000);
  unsigned odd = 1, square = 0;
  for (unsigned i = 0; i < n; i++) {
    square += odd;
    odd += 2;
  }
  assert(square == n * n MUTANT(, + (n > 4)));
  return 0;
}
