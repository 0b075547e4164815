// The sum is truncated to a byte in each round: the same as at the end.
// verdict: TRUE
// inputs: 4 100 100 100 1
#include "../task.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar(), narrow = 0;
  unsigned wide = 0;
  for (int i = 0; i < n; i++) {
    unsigned char v = __VERIFIER_nondet_uchar();
    narrow += v;
    wide += v;
  }
  assert(MUTANT(narrow == (unsigned char)wide, narrow == wide));
  return 0;
}
