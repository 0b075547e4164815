// Bits that stay.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned flags = 0x81;
  while (__VERIFIER_nondet_bool()) {
    unsigned in = __VERIFIER_nondet_uint();
#ifdef MUTANT
    flags = (flags | in) & ~0x80u | 1;
#else
    flags = (flags | in) & ~0x100u | (flags & 1);
#endif
  }
  assert(flags & 0x80);
  assert(!(flags & 0x100));
}
