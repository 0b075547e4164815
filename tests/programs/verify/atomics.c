// Atomic and volatile variables are memory like any other.
// verdict: FALSE
#include "verifier.h"
#include <stdatomic.h>

static _Atomic int count;
static volatile int v = 3;

int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  if (k & 1) atomic_fetch_add(&count, 2);
  if (k & 2) {
    int expected = 2;
    atomic_compare_exchange_strong(&count, &expected, 9);
    if (expected == 0) v = 4;
  }
  if (k & 4) v = v + 1;
  if (count == 9) {
    // expect: TRUE @+1
    assert((k & 3) == 3);
  }
  if (v == 5) {
    // expect: TRUE @+1
    assert((k & 7) == 6);
  }
  // expect: FALSE @+1
  assert(!(count == 2 && v == 4));
  // expect: TRUE @+1
  assert(!(count == 9 && v == 5));
}
