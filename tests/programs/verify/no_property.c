// Nothing to prove.
// verdict: TRUE
// reason: no property
// paths: 0
#include "verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x) x = __VERIFIER_nondet_int();
}
