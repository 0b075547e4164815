// Cubes by differences.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, c = 0, d = 1, e = 6;
  while (__VERIFIER_nondet_bool()) {
    i++;
    c += d;
    d += e;
    e += 6;
  }
#ifdef MUTANT
  assert(d == 3 * i * i + 3 * i + i);
#else
  assert(d == 3 * i * i + 3 * i + 1);
  assert(e == 6 * i + 6);
#endif
}
