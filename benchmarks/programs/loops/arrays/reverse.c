// Reversed twice is as before.
// verdict: TRUE
// inputs: 0*15 1
#include "../task.h"

static void reverse(int *a, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}

int main(void) {
  int a[16], b[16];
  for (int i = 0; i < 16; i++) b[i] = a[i] = __VERIFIER_nondet_int();
  reverse(a, 16);
  MUTANT(reverse(a, 16), );
  for (int i = 0; i < 16; i++) assert(a[i] == b[i]);
  return 0;
}
