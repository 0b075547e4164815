// The error function through a pointer, and nothing else through it.
// unsupported: an error function that is called through a pointer
// verdict: FALSE
#include "verifier.h"

static void (*error)(void) = reach_error;

int main(void) {
  if (__VERIFIER_nondet_uchar() == 7)
    // expect: FALSE @+1
    error();
}
