// What a flag says about a counter.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  int busy = 0;
  unsigned jobs = 0, limit = __VERIFIER_nondet_uint();
  while (__VERIFIER_nondet_bool()) {
    if (busy) {
      jobs++;
      if (jobs == limit) {
        busy = 0;
        jobs = 0;
      }
    } else if (limit > 1 && __VERIFIER_nondet_bool()) {
      busy = 1;
#ifdef MUTANT
      jobs = limit;
#endif
    }
    assert(busy || jobs == 0);
    assert(!busy || jobs < limit);
  }
}
