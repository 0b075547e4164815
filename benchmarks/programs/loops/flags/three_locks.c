// Locks are taken and given back as three numbers say.
// verdict: TRUE
// inputs: 0 0 1 5
#include "../task.h"

int main(void) {
  int p1 = __VERIFIER_nondet_int(), p2 = __VERIFIER_nondet_int(), p3 = __VERIFIER_nondet_int();
  int lk1, lk2, lk3, cond;
  while (1) {
    cond = __VERIFIER_nondet_int();
    if (cond == 0) goto out;
    lk1 = 0; lk2 = 0; lk3 = 0;
    if (p1 != 0) lk1 = 1;
    if (p2 != 0) lk2 = 1;
    if (p3 != 0) lk3 = MUTANT(1, cond);
    if (p1 != 0) { if (lk1 != 1) goto ERROR; lk1 = 0; }
    if (p2 != 0) { if (lk2 != 1) goto ERROR; lk2 = 0; }
    if (p3 != 0) { if (lk3 != 1) goto ERROR; lk3 = 0; }
  }
out: return 0;
ERROR: { reach_error(); }
  return 0;
}
