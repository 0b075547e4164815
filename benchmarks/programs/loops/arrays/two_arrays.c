// One array is the other plus one, everywhere.
// verdict: TRUE
// inputs: 1000 7
#include "../task.h"

static int a[1000], b[1000];

int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n <= 1000 && k >= 0 && k < n);
  for (int i = 0; i < n; i++) a[i] = 3 * i;
  for (int i = 0; i < n; i++) b[i] = a[i] + 1;
  assert(b[k] == 3 * k + 1 MUTANT(, + (k == 7)));
  return 0;
}
