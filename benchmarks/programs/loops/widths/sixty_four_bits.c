// A 64-bit counter passes 2^32.
// verdict: TRUE
// inputs: 4294967295
#include "../task.h"

int main(void) {
  unsigned long long x = __VERIFIER_nondet_uint();
  for (int i = 0; i < 1000; i++) x += 1000;
  assert(x >= 1000000 && x < 0x100000000ULL + MUTANT(1000000, 999999));
  return 0;
}
