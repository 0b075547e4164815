/* inih: a text of N bytes is parsed, as a string (a zero follows it) or, with RAW, by its length. The handler looks at
   all it is given, and refuses one setting. */
#include "ini.h"
#include <klee/klee.h>
#include <string.h>

#ifndef N
#define N 6
#endif

static int in_net;

static int take(void *user, const char *section, const char *name, const char *value) {
  (void)user;
  if (strcmp(section, "net") == 0)
    in_net++;
  return !(name[0] == 'p' && value != 0 && value[0] == '1');
}

int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, sizeof text, "text");
#ifdef RAW
  return ini_parse_string_length(text, N, take, 0) != 0;
#else
  klee_assume(text[N] == '\0');
  return ini_parse_string(text, take, 0) != 0;
#endif
}
