// A table of functions, one of them without a body of its own.
// verdict: FALSE
#include "verifier.h"
#include <stdlib.h>

static int calls;

static int add(int x) {
  calls++;
  return x + 1;
}

static int zero(int x) {
  calls = 0;
  return x - x;
}

static int (*const table[])(int) = {add, zero, abs};

int main(void) {
  int v = __VERIFIER_nondet_bool() ? -1 : 4;
  unsigned char k = __VERIFIER_nondet_uchar() % 3;
  int (*f)(int) = table[k];
  v = f(v);
  if (f == zero) {
    // expect: TRUE @+1
    assert(v == 0 && calls == 0);
  }
  if (k == 2) {
    // expect: FALSE @+1
    assert(v != 4);
  }
  // expect: TRUE @+1
  assert(v != 5 || calls == 1);
  // expect: TRUE @+1
  assert(v >= 0);
}
