// A function that is not there may do anything to what it is given.
// verdict: UNKNOWN
// reason: not defined anywhere
#include "verifier.h"

extern int other(int *p);

int main(void) {
  int x = 1;
  other(&x);
  // expect: UNKNOWN @+1
  assert(x == 1);
}
