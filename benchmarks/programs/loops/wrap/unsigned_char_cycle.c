// A byte counts modulo 256.
// verdict: TRUE
// inputs: 256
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned char c = 0;
  for (unsigned i = 0; i < n; i++) c++;
  assert(c == MUTANT(n % 256, n % 257));
  return 0;
}
