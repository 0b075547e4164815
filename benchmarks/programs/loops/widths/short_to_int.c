// A short index of an int loop; the bound fits.
// verdict: TRUE
// inputs: 32767
#include "../task.h"

int main(void) {
  unsigned short n = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(n < MUTANT(32767, 32768));
  short i = 0;
  int s = 0;
  while (i < n) {
    i++;
    s++;
  }
  assert(s == n MUTANT(, && s != 32767));
  return 0;
}
