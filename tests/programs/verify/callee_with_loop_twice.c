// The same loop in two calls, over what may be the same variable.
// verdict: FALSE
#include "verifier.h"

static int total;

static int run(int n, int *count) {
  int i;
  for (i = 0; i < n; i++) {
    if (*count == 2) break;
    *count += 1;
    total++;
  }
  return i;
}

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 3, j = __VERIFIER_nondet_uchar() & 3;
  int x = 0, y = 1, *p = &x;
  int a = run(k, p);
  if (j == 1) p = &y;
  int b = run(j, p);
  if (p == &x && k >= 2) {
    // expect: TRUE @+1
    assert(b == 0);
  }
  // expect: TRUE @+1
  assert(a <= 2);
  // expect: FALSE @+1
  assert(total != 3);
  // expect: FALSE @+1
  assert(b != 2);
  // expect: TRUE @+1
  assert(!(b == 2 && a));
}
