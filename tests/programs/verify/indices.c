// Elements that an input chooses, read and written.
// verdict: FALSE
#include "verifier.h"

static int squares[4] = {0, 1, 4, 9};
static int marks[4];

int main(void) {
  unsigned i = __VERIFIER_nondet_uchar() % 4, j = __VERIFIER_nondet_uchar() % 4;
  // expect: TRUE @+1
  assert(squares[i] >= (int)i);
  marks[i] = 1;
  marks[j] += 2;
  // expect: TRUE @+1
  assert(marks[j] >= 2);
  // expect: FALSE @+1
  assert(marks[i] == 1);
  // expect: TRUE @+1
  assert(marks[i] == 1 || i == j);
  // expect: FALSE @+1
  assert(squares[i] != squares[j] + 5);
}
