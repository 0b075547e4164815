// A sum over an initialized array.
// verdict: TRUE
// inputs: 50
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), a[100], sum = 0;
  __VERIFIER_assume(n >= 0 && n <= 100);
  for (int i = 0; i < n; i++) a[i] = 1;
  for (int i = 0; i < n; i++) sum += a[i];
  assert(sum == n MUTANT(, && n != 50));
  return 0;
}
