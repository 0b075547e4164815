// By twos from an odd number an even one is never met; a bound catches it.
// verdict: TRUE
// inputs: 7
#include "../task.h"

int main(void) {
  unsigned start = __VERIFIER_nondet_uint();
  unsigned x = start * 2 + 1;
  for (unsigned i = 0; i < 1000000; i++) {
    assert(x != MUTANT(1000, 1001));
    x += 2;
  }
  return 0;
}
