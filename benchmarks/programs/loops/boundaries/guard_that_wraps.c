// A guard with a sum on its left side wraps before it fails.
// verdict: TRUE
// inputs: 4294967295
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, rounds = 0;
  while (MUTANT(n - i >= 4 && i <= n, i + 4 <= n)) {
    i += 4;
    rounds++;
    assert(rounds < 0x40000000u && i != 0);
  }
  return 0;
}
