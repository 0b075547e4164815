// The same with a length that is an input.
// verdict: TRUE
// inputs: 100
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 10000);
  int table[10000];
  for (unsigned i = 0; i < n; i++) table[i] = (int)i + 3;
  for (unsigned i = 0; i < n; i++) assert(table[i] == (int)i + MUTANT(3, 3 + (i == 99)));
  return 0;
}
