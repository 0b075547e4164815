// exit: 1
#include <stdlib.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 1)
    exit(3);
  if (x == 2)
    // expect: abort @+1
    abort();
  return 0;
}
