// Positions of two pointers in one buffer.
// verdict: TRUE
// inputs: 64 1 1 0
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n > 0 && n < 0x7fffffff);
  unsigned in = 0, out = 0, dropped = 0;
  while (in < n) {
    if (__VERIFIER_nondet_bool())
      dropped += MUTANT(1, 1 + (in == 1));
    else
      out++;
    in++;
  }
  assert(out + dropped == in && out <= n);
  return 0;
}
