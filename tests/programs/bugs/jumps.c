// Jumps that lead nowhere, and what is wrong behind one that leads somewhere.
#include <assert.h>
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf gone, empty;
static int *kept;

static void leaves_it(void) {
  int local = 1;
  kept = &local;
  if (setjmp(gone)) assert(0);
}

static void ends(void) {
  int local = 2;
  kept = &local;
  longjmp(gone, 4);
}

int main(void) {
  switch (__VERIFIER_nondet_int()) {
    case 1:
      leaves_it();
      // expect: other @+1
      longjmp(gone, 1);
    case 2:
      // expect: other @+1
      longjmp(empty, 1);
    case 3: {
      int code = setjmp(gone);
      if (code == 0) ends();
      // expect: use-after-free @+1
      return *kept;
    }
    case 4:
      if (setjmp(gone) == 4)
        // expect: assert @+1
        assert(0);
      ends();
  }
  return 0;
}
