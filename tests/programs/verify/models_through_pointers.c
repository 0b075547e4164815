// assume, an input and malloc, all called through pointers.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

static void ignore(int x) { (void)x; }

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar();
  void (*suppose)(int) = __VERIFIER_assume;
  int (*input)(void) = __VERIFIER_nondet_int;
  void *(*allocate)(size_t) = malloc;
  if (j & 1) suppose = ignore;
  suppose(k > 3);
  int *p = allocate(4);
  *p = input();
  if (j & 2) *p = 2;
  suppose(*p != 5);
  if (!(j & 1)) {
    // expect: TRUE @+1
    assert(k > 3 && *p != 5);
  }
  // expect: FALSE @+1
  assert(k > 3);
  // expect: FALSE @+1
  assert(*p != 5);
  if (j & 2) {
    // expect: TRUE @+1
    assert(*p == 2);
  }
}
