// A large array of an input value.
// verdict: TRUE
// inputs: 5 99999
#include "../task.h"

static int a[100000];

int main(void) {
  int v = __VERIFIER_nondet_int();
  unsigned k = __VERIFIER_nondet_uint();
  __VERIFIER_assume(k < 100000);
  for (int i = 0; i < MUTANT(100000, 99999); i++) a[i] = v;
  assert(a[k] == v);
  return 0;
}
