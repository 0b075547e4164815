// A struct with a pointer in it as a result, of one of two functions.
// verdict: FALSE
#include "verifier.h"

struct result {
  int *place, number;
  long unused[3];
};

static int a, b;

static struct result one(int k) {
  struct result r = {&a, k, {0}};
  return r;
}

static struct result two(int k) {
  struct result r = {&b, k + 1, {0}};
  if (k == 2) r.place = 0;
  return r;
}

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 3;
  struct result (*f)(int) = one;
  if (k & 1) f = two;
  struct result v = f(k), w = two(k);
  if (v.place) *v.place = 4;
  if (b == 4) {
    // expect: TRUE @+1
    assert(v.number == k + 1);
  }
  if (a == 4) {
    // expect: TRUE @+1
    assert(!(k & 1));
  }
  // expect: TRUE @+1
  assert(w.place == &b || k == 2);
  // expect: FALSE @+1
  assert(w.place);
  // expect: FALSE @+1
  assert(b != 4);
}
