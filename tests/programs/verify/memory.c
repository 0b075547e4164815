// Stores through pointers that inputs choose, some of which hit.
// verdict: FALSE
#include "verifier.h"

static int a = 1, b = 2, c = 3, log_[3];
static void set(int *p, int v) { *p = v; }

int main(void) {
  int x = __VERIFIER_nondet_int(), *p = &a;
  if (x > 0) p = &b;
  if (x > 10) log_[0] = 1;
  set(p, 5);
  // expect: TRUE @+1
  assert(a == 5 || b == 5);
  // expect: TRUE @+1
  assert(a != b || x > 10000 || a == 5);
  // expect: FALSE @+1
  assert(a == 1);
  // expect: TRUE @+1
  assert(c == 3);
  // expect: TRUE @+1
  assert(x <= 10 || log_[0]);
  int **q = x == 7 ? &p : 0;
  if (q) *q = &c;
  *p = 9;
  // expect: FALSE @+1
  assert(c == 3);
  // expect: TRUE @+1
  assert(c == 3 || b == 5);
}
