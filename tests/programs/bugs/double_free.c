// exit: 1
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  char *p = malloc(10);
  if (__VERIFIER_nondet_bool())
    free(p);
  // expect: double-free @+1
  free(p);
  return 0;
}
