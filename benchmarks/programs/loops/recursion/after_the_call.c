// What holds after the call from inside.
// verdict: TRUE
// inputs: 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

void f(int n) { if (n < 3) return; n--; f(n); MUTANT(, if (n == 2) reach_error();) __VERIFIER_assert(n >= 2); }
int main(void) { f(4); f(__VERIFIER_nondet_short()); }
