// Big structs by value, both ways: changes stay in the callee's copy.
// verdict: FALSE
#include "verifier.h"
#include <string.h>

struct big {
  int a[10];
};

static int changed(struct big s, int k) {
  s.a[1] += k;
  if (k > 3) s.a[1] = 0;
  return s.a[1];
}

static struct big make(int k) {
  struct big r;
  memset(&r, 0, sizeof r);
  r.a[1] = k;
  if (k == 5) r.a[1] = 4;
  return r;
}

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 7;
  struct big m = make(k), n = m;
  if (k & 1) n = make(k + 1);
  int r = changed(n, k), q = changed(m, 1);
  // expect: TRUE @+1
  assert(r == 0 || k <= 3);
  // expect: FALSE @+1
  assert(m.a[1] == k);
  // expect: TRUE @+1
  assert(q != 5 || k == 4 || k == 5);
  // expect: TRUE @+1
  assert(n.a[1] != 4 || k == 4 || k == 3);
}
