// A float that counts whole numbers exactly, to a small bound.
// verdict: TRUE
// inputs: 20
#include "../task.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(n <= 50);
  float f = 0;
  for (int i = 0; i < n; i++) f += MUTANT(0.5f, 0.1f);
  assert(f == n / MUTANT(2.0f, 10.0f));
  return 0;
}
