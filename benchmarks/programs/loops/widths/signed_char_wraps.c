// A signed char goes around by conversion: 256 rounds and it is back.
// verdict: TRUE
// inputs: 0
#include "../task.h"

int main(void) {
  signed char c = __VERIFIER_nondet_schar(), start = c;
  int i;
  for (i = 0; i < MUTANT(256, 128); i++) c = (signed char)(c + 1);
  assert(c == start);
  return 0;
}
