// Children of a node in a heap stay below the length.
// verdict: TRUE
// inputs: 2 1
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 1 && n <= 100000);
  for (int root = 0; root < n; root++) {
    int at = root;
    while (2 * at + MUTANT(2, 1) < n) {
      int child = 2 * at + 1;
      if (__VERIFIER_nondet_bool()) child++;
      assert(child < n);
      at = child;
    }
  }
  return 0;
}
