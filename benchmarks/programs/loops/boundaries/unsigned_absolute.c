// A distance of unsigned numbers, by steps towards each other.
// verdict: TRUE
// inputs: 9 4
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), steps = 0;
  __VERIFIER_assume(a < 100000 && b < 100000);
  unsigned x = a;
  while (x != b) {
    x = x < b ? x + 1 : x - 1;
    steps++;
  }
  assert(steps == (a < b ? b - a : a - b) MUTANT(, && steps != 5));
  return 0;
}
