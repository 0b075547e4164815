// realloc and free: the same address again, or another one.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 7;
  int *p = malloc(8);
  p[0] = k;
  p[1] = 4;
  if (k & 1) {
    p = realloc(p, 16);
    p[2] = 1;
  } else {
    int *q = calloc(4, 4);
    q[0] = p[1];
    free(p);
    p = q;
  }
  if (k & 2) {
    free(p);
    p = malloc(8);
    p[0] = 9;
  }
  if (p[0] == 9) {
    // expect: TRUE @+1
    assert(k & 2);
  }
  // expect: TRUE @+1
  assert(p[0] != 4 || !(k & 3));
  // expect: FALSE @+1
  assert(p[0] != 5);
  free(p);
}
