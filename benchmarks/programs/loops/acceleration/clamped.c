// A value that stops at a ceiling.
// verdict: TRUE
// inputs: 40000
#include "../task.h"

int main(void) {
  unsigned short n = __VERIFIER_nondet_ushort();
  int load = 0;
  for (int i = 0; i < n; i++) {
    load += 10;
    if (load > 300000) load = 300000;
  }
  assert(load <= MUTANT(300000, 299999));
  return 0;
}
