// An array that is filled upwards is sorted.
// verdict: TRUE
// inputs: 10*64
#include "../task.h"

int main(void) {
  unsigned a[64];
  for (int i = 0; i < 64; i++) {
    unsigned char step = __VERIFIER_nondet_uchar();
    a[i] = (i == 0 ? 0 : a[i - 1]) + step - MUTANT(0, (i == 40 ? 11 : 0));
  }
  for (int i = 1; i < 64; i++) assert(a[i - 1] <= a[i]);
  return 0;
}
