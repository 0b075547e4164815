// The mistake of KLEE's tutorial: the pattern is not terminated, so the matcher reads past its end.
// exit: 1
#include <klee/klee.h>

static int match_here(const char *re, const char *text) {
  // expect: out-of-bounds @+1
  if (re[0] == '\0')
    return 1;
  if (*text != '\0' && (re[0] == '.' || re[0] == *text))
    return match_here(re + 1, text + 1);
  return 0;
}

int main(void) {
  char re[3];
  klee_make_symbolic(re, sizeof re, "re");
  return match_here(re, "hello");
}
