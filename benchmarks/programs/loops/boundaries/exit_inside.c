// Runs that would break it end before, by exit.
// verdict: TRUE
// inputs: 1000000
#include "../task.h"

#include <stdlib.h>
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) {
    if (s MUTANT(>=, >) 3999996) exit(0);
    s += 4;
  }
  assert(s < 4000000);
  return 0;
}
