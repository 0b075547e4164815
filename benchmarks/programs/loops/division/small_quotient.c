// The same with small numbers, against the processor's division.
// verdict: TRUE
// inputs: 200 7
#include "../task.h"

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (b == 0) return 0;
  int r = a, q = 0;
  for (; r >= b; r -= b) q++;
  assert(q == a / b MUTANT(, && (q != 28 || r != 4)));
  return 0;
}
