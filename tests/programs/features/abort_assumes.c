// In programs with SV-COMP's inputs, abort() is how assumptions are written: such a path ends, and is no bug.
// paths: 2
// exit: 0
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int cond) {
  if (!cond)
    abort();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assume_abort_if_not(x > 5);
  assert(x != 5);
  return 0;
}
