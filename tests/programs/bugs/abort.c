// exit: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 1)
    exit(3);
  if (x == 2)
    // expect: abort @+1
    abort();
  return 0;
}
