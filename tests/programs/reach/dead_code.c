// What no control flow leads to: behind a return, and in functions that are called from there only.
#include <stdlib.h>
#include "../verify/verifier.h"

static int from_dead_code(int x) {
  // reach: UNREACHABLE line @+1
  return x + 1;
}

// reach: UNREACHABLE call static_and_unused (function static_and_unused is never called from main)
static int static_and_unused(int x) {
  // reach: UNREACHABLE line @+1 (never called)
  return x + 2;
}

int external_and_unused(int x) {
  // reach: UNREACHABLE line @+1 (function external_and_unused is never called from main)
  return static_and_unused(x);
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 3) return 1;
  return 0;
lost:
  // reach: UNREACHABLE line @+1 (dead code: nothing leads to it in main's control flow)
  x = from_dead_code(x);
  goto lost;
}
