// Failing assertions, abort and exit end a path: in good order, so that what is behind them is known.
#include <stdlib.h>
#include "../verify/verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x < 100);
  if (x > 50) abort();
  if (x < 0) exit(1);
  __VERIFIER_assume(x != 7);
  if (x == 7 || x > 50)
    // reach: UNREACHABLE line @+1
    return 1;
  if (x == 50)
    // reach: REACHED line @+1
    return 2;
  return 0;
}
