// An inner loop of fixed length inside an outer one.
// verdict: TRUE
// inputs: 7
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 100000);
  unsigned cells = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < MUTANT(10, 10 + (i == 6)); j++) cells++;
  assert(cells == 10 * n);
  return 0;
}
