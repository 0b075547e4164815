// One goes up, the other down: the sum stays.
// verdict: TRUE
// inputs: 9
#include "../task.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  int up = 0, down = n;
  while (down > 0) {
    up++;
    down--;
    assert(up + down == n);
  }
  assert(up == MUTANT(n, n + (n == 9)));
  return 0;
}
