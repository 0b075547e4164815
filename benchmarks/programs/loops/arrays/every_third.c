// Strides: multiples of three are marked.
// verdict: TRUE
// inputs: 33
#include "../task.h"

static _Bool mark[3000];

int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(k < 3000);
  for (unsigned i = 0; i < 3000; i += 3) mark[i] = 1;
  assert(mark[k] == (k % 3 == 0) MUTANT(, && k != 33));
  return 0;
}
