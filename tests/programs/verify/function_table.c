// Which function is called is for an input to say.
// verdict: FALSE
#include "verifier.h"

static int calls;
static int add(int a, int b) { calls++; return a + b; }
static int sub(int a, int b) { return a - b; }
static int first(int a, int b) { calls += 2; return a; }
static int (*const table[])(int, int) = {add, sub, first};

int main(void) {
  unsigned which = __VERIFIER_nondet_uchar() % 3;
  int result = table[which](7, 3);
  // expect: TRUE @+1
  assert(result == 10 || result == 4 || result == 7);
  // expect: FALSE @+1
  assert(result != 7);
  // expect: TRUE @+1
  assert(calls != 2);
  // expect: FALSE @+1
  assert(calls);
  // expect: TRUE @+1
  assert(which != 1 || calls == 0);
}
