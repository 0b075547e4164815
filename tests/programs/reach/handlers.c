// Code that runs before and after main.
#include <stdlib.h>
#include "../verify/verifier.h"

static int x;

// reach: REACHED call before
__attribute__((constructor)) static void before(void) { x = 1; }

static void after(void) {
  if (x == 6)
    // reach: REACHED line @+1
    x = 7;
  if (x == 8)
    // reach: UNREACHABLE line @+1
    x = 9;
}

int main(void) {
  atexit(after);
  if (__VERIFIER_nondet_bool()) x = 6;
  return 0;
}
