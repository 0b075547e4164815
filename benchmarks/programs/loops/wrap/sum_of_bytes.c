// A checksum of bytes is a byte; the carry is lost, and only it.
// verdict: TRUE
// inputs: 2 200 100
#include "../task.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), wide = 0;
  unsigned char check = 0;
  __VERIFIER_assume(n < 1000);
  for (unsigned i = 0; i < n; i++) {
    unsigned char b = __VERIFIER_nondet_uchar();
    check = check + b;
    wide += b;
  }
  assert(MUTANT((wide - check) % 256 == 0, wide < 256 || check != 44));
  return 0;
}
