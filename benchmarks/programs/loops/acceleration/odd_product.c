// A product of odd numbers stays odd, however often it wraps.
// verdict: TRUE
// inputs: 1
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), p = 1;
  for (unsigned i = 0; i < n; i++) p = p * 3 + MUTANT(2, 1);
  assert(p % 2 == 1);
  return 0;
}
