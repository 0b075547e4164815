// Labels: with and without code of their own, in loops, in a function that is called, in one that is not.
// reach: REACHED label found
// reach: REACHED label again
// reach: UNREACHABLE label impossible
// reach: REACHED label in_callee
// reach: UNREACHABLE label in_unused
// reach: UNREACHABLE label after_return (dead code)
#include "../verify/verifier.h"

static int callee(int x) {
  if (x == 77) goto in_callee;
  return 0;
in_callee:
  return 1;
}

static int unused(int x) {
  if (x) goto in_unused;
  return 0;
in_unused:
  return 2;
}

int main(void) {
  int t[4], i, n = 0;
  for (i = 0; i < 4; i++) t[i] = __VERIFIER_nondet_int();
again:
  for (i = 0; i < 4; i++)
    if (t[i] == 3) goto found;
  if (n > 2) goto impossible;
  return callee(t[0]);
found:;
  n++;
  t[i] = 4;
  if (n < 2) goto again;
  return n;
after_return:
  n = 5;
impossible:
  return n;
}
