// A million paths, and an assertion that has nothing to do with them.
// verdict: TRUE
// paths: 24
// plain: no
#include "verifier.h"

static int sum;
static void count(int limit) {
  if (__VERIFIER_nondet_int() > limit) sum += limit;
}

int main(void) {
  int important = __VERIFIER_nondet_int(), level = 0;
  count(1); count(2); count(3); count(4); count(5); count(6); count(7); count(8); count(9); count(10);
  if (important > 5) level = 1;
  count(11); count(12); count(13); count(14); count(15); count(16); count(17); count(18); count(19); count(20);
  // expect: TRUE @+1
  assert(level == 0 || important > 5);
  return sum;
}
