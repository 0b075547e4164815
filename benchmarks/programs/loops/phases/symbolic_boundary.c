// The boundary between two phases is an input.
// verdict: TRUE
// inputs: 3 10
#include "../task.h"

int main(void) {
  int k = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (k < 0 || n < k || n > 1000000) return 0;
  int a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    if (i < k)
      a++;
    else
      b += 2;
  }
  assert(a == k);
  assert(b == 2 * (n - k) MUTANT(, + (k == 3)));
  return 0;
}
