// Elements move down by one place.
// verdict: TRUE
// inputs: 20
#include "../task.h"

static int a[5000];

int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(k < 4999);
  for (int i = 0; i < 5000; i++) a[i] = 2 * i;
  for (int i = 0; i < 4999; i++) a[i] = a[i + 1];
  assert(a[k] == 2 * (int)k + MUTANT(2, 2 * (k != 20)));
  return 0;
}
