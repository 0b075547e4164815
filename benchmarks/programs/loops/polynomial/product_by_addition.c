// A product by repeated addition.
// verdict: TRUE
// inputs: 7 3
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned p = 0;
  for (unsigned i = 0; i < b; i++) p += a;
  assert(p == a * b MUTANT(, && p != 21));
  return 0;
}
