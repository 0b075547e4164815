// Nested loops, the inner one from where the outer one is: all pairs, each once, in order.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned short n = __VERIFIER_nondet_ushort();
#ifdef WRAPS
  unsigned char i, j;
#else
  int i, j;
#endif
  for (i = 0; i < n; i++) {
#ifdef MUTANT
    for (j = i; j <= n; j++) {
#else
    for (j = i; j < n; j++) {
#endif
      assert(0 <= i && i <= j);
      assert(j < n);
      if (__VERIFIER_nondet_bool()) break;
    }
    assert(j >= i);
  }
#ifndef WRAPS
  assert(i == n);
#else
  assert(i != 0 || n == 0);
#endif
}
