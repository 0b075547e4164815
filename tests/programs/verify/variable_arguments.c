// As many arguments as an input says.
// verdict: FALSE
#include "verifier.h"
#include <stdarg.h>

static int sum(int n, ...) {
  va_list list;
  int s = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    int v = va_arg(list, int);
    if (v == 3) s += 10;
    s += v;
  }
  va_end(list);
  return s;
}

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 3;
  int r = sum(k, 1, 2, 3), q = sum(2, (int)k, 5);
  if (k == 3)
    // expect: TRUE @+1
    assert(r == 16);
  else
    // expect: TRUE @+1
    assert(r < 4);
  // expect: FALSE @+1
  assert(q != 18);
  // expect: TRUE @+1
  assert(q < 8 || k == 3);
}
