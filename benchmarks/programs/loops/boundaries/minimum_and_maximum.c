// Running extremes of inputs with a bound.
// verdict: TRUE
// inputs: 5 -5 0
#include "../task.h"

int main(void) {
  int low = 0, high = 0, v;
  while ((v = __VERIFIER_nondet_int()) != 0) {
    if (v < -100 || v > 100) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  assert(low <= high && high - low <= 200 MUTANT(, && high - low != 10));
  return 0;
}
