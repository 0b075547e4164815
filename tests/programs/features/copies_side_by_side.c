// Copies between places that touch, or are the same, or hold nothing: none of them overlaps.
// exit: 0
// check: memory
#include <stdio.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct pair {
  int a[8];
};

static char text[64] = "hello";

int main(void) {
  unsigned which = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  struct pair one = {{1}}, *p = &one, *q = which % 2 ? &one : p;
  *p = *q;
  if (n > 8)
    return 0;
  switch (which) {
  case 0: memcpy(text, text + 8, 8); break;
  case 1: memcpy(text + 8, text, n); break;
  case 2: memmove(text + 1, text, 8 + n); break;
  case 3: memcpy(text + n, text + n, 20); break;
  case 4: memcpy(text + 1, text, 0); break;
  case 5: strcpy(text + 6, text); break;
  case 6: strcat(text, text + 6); break;
  case 7: strncpy(text, text + 8, n); break;
  case 8: strncat(text + 3, text, 3 - 1); break;
  case 9: sprintf(text + 6, "%s!", text); break;
  case 10: snprintf(text + 5, 9, "%.5s", text); break;
  case 11: sprintf(text, "%u%s", n, "x"); break;
  }
  return 0;
}
