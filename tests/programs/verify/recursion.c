// A depth that an input bounds; mutual recursion; a result on the way back.
// verdict: FALSE
#include "verifier.h"

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 6;
  int s = sum(n), e = even(n);
  // expect: TRUE @+1
  assert(s <= 15);
  // expect: FALSE @+1
  assert(s != 10);
  // expect: TRUE @+1
  assert(s != 11);
  // expect: TRUE @+1
  assert(e == !(n % 2));
  // expect: FALSE @+1
  assert(e || s != 6);
}
