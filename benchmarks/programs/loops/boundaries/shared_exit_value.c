// Two loops in a row: the second one begins where the first has ended.
// verdict: TRUE
// inputs: 10 17
#include "../task.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a >= 0 && b >= a && b < 1000000);
  int i = 0, first = 0, second = 0;
  for (; i < a; i++) first++;
  for (; i < b; i++) second++;
  assert(first + second == b && second == b - a MUTANT(, && second != 7));
  return 0;
}
