// A counter that is set back once, at a place given by an input.
// verdict: TRUE
// inputs: 5
#include "../task.h"

int main(void) {
  unsigned at = __VERIFIER_nondet_uint();
  __VERIFIER_assume(at < 500000);
  unsigned c = 0;
  for (unsigned i = 0; i < 500000; i++) {
    if (i == at) c = 0;
    c++;
  }
  assert(c == 500000 - MUTANT(at, at - 1));
  return 0;
}
