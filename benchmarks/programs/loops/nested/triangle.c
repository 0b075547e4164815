// The inner bound is the outer counter: at least a round for each but the first.
// verdict: TRUE
// inputs: 1
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 1 && n < 1000);
  int pairs = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) pairs++;
  assert(pairs >= n - MUTANT(1, 0));
  return 0;
}
