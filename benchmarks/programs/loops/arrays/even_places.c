// Every other element is written: the rest stays zero.
// verdict: TRUE
// inputs: 3
#include "../task.h"

static int cells[2000];

int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(k < 1000);
  for (int i = 0; i < 2000; i += 2) cells[i] = 9;
  assert(cells[2 * k] == 9);
  assert(cells[2 * k + MUTANT(1, (k == 3 ? 2 : 1))] == 0);
  return 0;
}
