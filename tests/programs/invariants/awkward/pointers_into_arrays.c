// A pointer that walks through an array writes anywhere in it: single cells are forgotten, other variables are not.
// says: kept == 5
// silent: a[0] ==
#include "../verifier.h"

static int a[8];

int main(void) {
  int kept = 5, n = 0;
  a[0] = 1;
  for (int *p = a; p < a + 8; p++) {
    *p = __VERIFIER_nondet_int();
    n++;
  }
  if (a[0] > 1) n++;
  if (kept == 5) n++;
  return n;
}
