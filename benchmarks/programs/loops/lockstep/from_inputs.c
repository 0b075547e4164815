// Two inputs that differ by a constant differ by it for ever, even across a wrap.
// verdict: TRUE
// inputs: 4294967294 0
#include "../task.h"

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = a + 17;
  while (__VERIFIER_nondet_bool()) {
    a++;
    b++;
  }
  assert(MUTANT(b - a == 17, b > a));
  return 0;
}
