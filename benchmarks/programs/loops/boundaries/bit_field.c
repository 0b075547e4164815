// A counter of four bits.
// verdict: TRUE
// inputs: 16
#include "../task.h"

struct small {
  unsigned count : 4;
  unsigned rest : 28;
};

int main(void) {
  struct small s = {0, 0};
  unsigned n = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) s.count++;
  assert(s.count == MUTANT(n % 16, n) || MUTANT(0, n > 16));
  assert(s.rest == 0);
  return 0;
}
