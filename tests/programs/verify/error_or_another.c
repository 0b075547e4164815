// A pointer to the error function, or to another one: paths go on behind the call.
// unsupported: an error function that is called through a pointer
// verdict: FALSE
#include "verifier.h"

static void fine(void) {}

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  void (*called)(void) = k == 7 ? reach_error : fine;
  // expect: FALSE @+1
  called();
  // expect: FALSE @+1
  assert(k != 9);
  if (k == 8)
    // expect: FALSE @+1
    reach_error();
  // expect: TRUE @+1
  assert(k != 7);
}
