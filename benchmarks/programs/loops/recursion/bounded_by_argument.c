// The value never exceeds what was given.
// verdict: TRUE
// inputs: 9 1 1 0
#include "../task.h"

static unsigned spend(unsigned money) {
  if (money == 0 || !__VERIFIER_nondet_bool()) return money;
  return spend(money - 1 MUTANT(, + (money == 8) * 2));
}

int main(void) {
  unsigned money = __VERIFIER_nondet_uint();
  __VERIFIER_assume(money < 1000);
  assert(spend(money) <= money MUTANT(, - 1 || money != 9));
  return 0;
}
