// exit: 1
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  // expect: memory-leak @+1
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  *p = 5;
  if (__VERIFIER_nondet_bool())
    free(p);
  // expect: use-after-free @+1
  int r = *p;
  return r == 6;
}
