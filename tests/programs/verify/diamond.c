// What was assumed at the start decides, not what happens in between.
// verdict: TRUE
// paths: 1
#include "verifier.h"

int main(void) {
  int valid = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), flag;
  __VERIFIER_assume(valid);
  if (__VERIFIER_nondet_bool())
    flag = 1;
  else
    flag = 0;
  if (flag)
    x = x + 1;
  else
    x = x - 1;
  if (!valid)
    // expect: TRUE @+1
    reach_error();
  return x;
}
