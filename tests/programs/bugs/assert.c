// An assertion that fails for one input of four billion, and one that never fails.
// paths: 2
// exit: 1
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert((x | 1) != 0);
  // expect: assert @+1
  assert(x * 3 + 7 != 22);
  return 0;
}
