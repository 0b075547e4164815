// McCarthy's function.
// verdict: TRUE
// inputs: 90
#include "../task.h"

static int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x >= 80 && x <= 101);
  assert(f(x) == 91 MUTANT(, + (x == 90)));
  return 0;
}
