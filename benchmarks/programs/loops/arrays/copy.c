// A copy is the same everywhere.
// verdict: TRUE
// inputs: 5*40
#include "../task.h"

int main(void) {
  int from[40], to[40];
  for (int i = 0; i < 40; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < MUTANT(40, 39); i++) to[i] = from[i];
  MUTANT(, to[39] = 4;)
  for (int i = 0; i < 40; i++) assert(to[i] == from[i]);
  return 0;
}
