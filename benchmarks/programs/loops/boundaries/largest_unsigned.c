// Up to the largest word and no further.
// verdict: TRUE
// inputs: 4294967295
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n >= 4294967000u);
  unsigned i = 4294967000u, rounds = 0;
  while (i MUTANT(<, <=) n) {
    i++;
    rounds++;
    assert(rounds <= 295);
  }
  return 0;
}
