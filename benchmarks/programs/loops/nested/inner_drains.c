// The inner loop empties what the outer fills.
// verdict: TRUE
// inputs: 4 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), portion = __VERIFIER_nondet_uint();
  __VERIFIER_assume(portion < 1000);
  unsigned tank = 0, used = 0;
  for (unsigned i = 0; i < n; i++) {
    tank += portion;
    while (tank > MUTANT(0, 1)) {
      tank--;
      used++;
    }
  }
  assert(tank == 0);
  return 0;
}
