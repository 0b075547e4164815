// A flag toggled with exclusive or, beside one that is compared.
// verdict: TRUE
// inputs: 3
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0x55;
  for (unsigned i = 0; i < n; i++) x ^= 0xff;
  assert(x == (n % 2 ? 0xaa : 0x55) MUTANT(, && n != 3));
  return 0;
}
