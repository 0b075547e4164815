// Only a prefix is set; what is behind is as it was.
// verdict: TRUE
// inputs: 4 4
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  int a[512] = {0};
  __VERIFIER_assume(n >= 0 && n <= 512 && k >= 0 && k < 512);
  for (int i = 0; i < n; i++) a[i] = 1;
  assert(a[k] == (k MUTANT(<, <=) n));
  return 0;
}
