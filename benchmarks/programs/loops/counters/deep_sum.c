// Only a long run with the right inputs breaks it.
// verdict: FALSE
// inputs: 7*100
#include "../task.h"

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 100; i++) {
    unsigned char d = __VERIFIER_nondet_uchar();
    if (d < MUTANT(8, 7)) sum += d;
  }
  assert(sum < 700);
  return 0;
}
