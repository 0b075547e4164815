// One round in the middle of many breaks the assertion in the body.
// verdict: TRUE
// inputs: 777777
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0;
  for (unsigned i = 0; i < 1000000; i++) {
    x += 3;
    if (i == n) assert(x == 3 * n + MUTANT(3, (n == 777777 ? 2 : 3)));
  }
  return 0;
}
