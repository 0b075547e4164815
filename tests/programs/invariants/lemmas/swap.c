// Two variables that change places, and stay apart by one modulo two.
// verdict: TRUE
// MUTANT: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned char x = 0, y = 1;
  while (__VERIFIER_nondet_bool()) {
    unsigned char old = x;
    x = y + 2;
    y = old;
#ifdef MUTANT
    if (x == 201) x++;
#endif
  }
  assert((x + y) % 2 == 1);
}
