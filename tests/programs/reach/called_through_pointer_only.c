// A function that is not defined: where a pointer to it goes is not followed.
// reach: UNKNOWN call reach_error (through a pointer)
#include "../verify/verifier.h"

static void (*volatile handler)(void) = reach_error;

int main(void) {
  if (__VERIFIER_nondet_int() == 4) handler();
}
