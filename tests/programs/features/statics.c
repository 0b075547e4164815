// Static locals keep their values; each path has its own copy of the globals.
// paths: 4
// exit: 0
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

static int total;

static int next(void) {
  static int count = 10;
  static int *where = &count;
  return ++*where;
}

int main(void) {
  if (__VERIFIER_nondet_bool()) {
    total += next();
    assert(total == 11);
  }
  if (__VERIFIER_nondet_bool())
    total += next();
  assert(total == 0 || total == 11 || total == 23);
  return 0;
}
