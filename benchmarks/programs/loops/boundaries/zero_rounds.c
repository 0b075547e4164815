// Maybe no round at all: then the old value stays.
// verdict: TRUE
// inputs: 0
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int last = -1;
  for (unsigned i = 0; i < n; i++) last = (int)(i & 7);
  assert(MUTANT(last >= -1, last >= 0) && last <= 7);
  return 0;
}
