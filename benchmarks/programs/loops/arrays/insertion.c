// Insertion sort of five sorts.
// verdict: TRUE
// inputs: 2 1 3 4 5
#include "../task.h"

int main(void) {
  int a[5];
  for (int i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < 5; i++) {
    int v = a[i], j = i - 1;
    while (j >= MUTANT(0, 1) && a[j] > v) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = v;
  }
  for (int i = 1; i < 5; i++) assert(a[i - 1] <= a[i]);
  return 0;
}
