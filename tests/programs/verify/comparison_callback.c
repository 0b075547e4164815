// qsort calls back; what it sorts is symbolic.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  // expect: FALSE @+1
  assert(x != y);
  return x < y ? -1 : 1;
}

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_uchar();
  qsort(a, 3, sizeof *a, compare);
  // expect: TRUE @+1
  assert(a[0] <= a[1]);
}
