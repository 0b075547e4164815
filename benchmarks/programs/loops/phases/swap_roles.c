// Two counters, the second takes over when the first has reached its bound, and then back.
// verdict: TRUE
// inputs: 10
#include "../task.h"

int main(void) {
  unsigned rounds = __VERIFIER_nondet_uint(), a = 0, b = 0;
  __VERIFIER_assume(rounds < 1000000);
  int first = 1;
  for (unsigned i = 0; i < rounds; i++) {
    if (first) {
      a++;
      if (a % 10 == 0) first = 0;
    } else {
      b++;
      if (b % 10 == 0) first = 1;
    }
  }
  assert(a + b == rounds);
  assert(a >= b && a - b <= MUTANT(10, 9));
  return 0;
}
