// The classic: a copy into a buffer with no room for the terminator. The loop is the caller's, not the library's.
// exit: 1
#include <klee/klee.h>

static char target[4];

int main(void) {
  char source[8];
  int i = 0;
  klee_make_symbolic(source, sizeof source, "source");
  source[7] = 0;
  do {
    // expect: out-of-bounds @+1
    target[i] = source[i];
  } while (source[i++]);
  return 0;
}
