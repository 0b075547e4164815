// errno, and texts made and read by library functions.
// verdict: FALSE
#include "verifier.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char text[8];
  unsigned char k = __VERIFIER_nondet_uchar() & 3;
  int v = 0;
  errno = 0;
  sprintf(text, "%d", k);
  long r = strtol(k & 1 ? text : "99999999999999999999999", 0, 10);
  if (errno)
    // expect: TRUE @+1
    assert(!(k & 1));
  else
    // expect: TRUE @+1
    assert(r == k);
  sscanf(text, "%d", &v);
  // expect: TRUE @+1
  assert(v == k);
  // expect: FALSE @+1
  assert(v != 3);
  // expect: FALSE @+1
  assert(errno == 0);
}
