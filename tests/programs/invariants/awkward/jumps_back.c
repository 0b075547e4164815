// What setjmp and longjmp do is not followed, and that is said.
// says: setjmp() on the way
#include <setjmp.h>
#include "../verifier.h"

static jmp_buf back;
static int g;

int main(void) {
  g = 0;
  if (setjmp(back)) {
    if (g == 1) return 7;
    return 3;
  }
  g = 1;
  longjmp(back, 1);
}
