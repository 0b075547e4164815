// exit: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char *text = malloc(16);
  int at = __VERIFIER_nondet_int();
  if (!text)
    return 0;
  text[0] = 'a';
  if (at < 0 || at > 3) {
    free(text);
    return 0;
  }
  // expect: out-of-bounds @+1
  text[at - 1] = 'b';
  free(text);
  return 0;
}
