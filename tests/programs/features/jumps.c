// setjmp and longjmp: control comes back, to a frame that is still there, with variables as they are by then.
// paths: 6
// exit: 0
#include <assert.h>
#include <setjmp.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf outer, copy;
static int caught;

static void thrower(int depth, int code) {
  int local[4] = {depth};
  if (depth > 0) thrower(depth - 1, code);
  if (local[0] == 0 && code) longjmp(outer, code == 3 ? 0 : code);
}

static int protected(int code) {
  volatile int tries = 0;
  switch (setjmp(outer)) {
    case 0:
      tries++;
      thrower(3, code);
      return 0;
    case 1:  // what zero becomes
      assert(tries == 1 && (code == 1 || code == 3));
      return 1;
    default:
      assert(tries == 1 && code == 2);
      return 2;
  }
}

// A handler in a handler: the inner jump is caught, and passed on by the buffer that was kept.
static int nested(void) {
  jmp_buf kept;
  if (setjmp(outer)) return 7;
  memcpy(kept, outer, sizeof kept);
  if (setjmp(outer)) {
    caught++;
    memcpy(copy, kept, sizeof copy);
    longjmp(copy, 5);
  }
  thrower(2, 9);
  return 0;
}

int main(void) {
  int code = __VERIFIER_nondet_int();
  if (code < 0 || code > 3) return 0;
  int result = protected(code);
  assert(result == (code == 3 ? 1 : code));
  for (volatile int round = 0; round < 3; round++)
    if (setjmp(copy) == 0) longjmp(copy, round + 1);
  assert(nested() == 7 && caught == 1);
  return 0;
}
