// The maximum is at least every element.
// verdict: TRUE
// inputs: 1 2 9 4 5 6 7 8
#include "../task.h"

int main(void) {
  int a[8], best;
  for (int i = 0; i < 8; i++) a[i] = __VERIFIER_nondet_int();
  best = a[0];
  for (int i = 1; i < 8; i++)
    if (a[i] > best MUTANT(, && i != 2)) best = a[i];
  for (int i = 0; i < 8; i++) assert(best >= a[i]);
  return 0;
}
