// exit: 1
// check: memory
#include <stdio.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

static char text[64] = "hello";

int main(void) {
  unsigned which = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  if (n > 16)
    return 0;
  switch (which) {
  case 0:
    // expect: overlap @+1
    memcpy(text, text + 8, 9);
    break;
  case 1:
    // expect: overlap @+1
    memcpy(text + 8, text, n);
    break;
  case 2:
    // expect: overlap @+1
    memcpy(text + n, text, 8);
    break;
  case 3:
    // expect: overlap @+1
    strcpy(text + 5, text);
    break;
  case 4:
    // expect: overlap @+1
    strcat(text, text + 2);
    break;
  case 5:
    // expect: overlap @+1
    strncpy(text, text + 6, 7);
    break;
  case 6:
    // expect: overlap @+1
    strncat(text, text + 1, 9);
    break;
  case 7:
    // expect: overlap @+1
    sprintf(text, "%s!", text);
    break;
  case 8:
    // expect: overlap @+1
    snprintf(text + 4, 8, "%s", text);
    break;
  case 9:
    // expect: overlap @+1
    stpcpy(text + 3, text);
    break;
  }
  return 0;
}
