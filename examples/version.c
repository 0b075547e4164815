/* Text as an input. Try: clew test examples/version.c --goal path */
#include <klee/klee.h>

/* Reads "12.3" and the like; -1 for anything else. */
static int parse(const char *text) {
  int value = 0, dots = 0;
  for (int i = 0; text[i]; i++) {
    if (text[i] == '.') {
      dots++;
    } else if (text[i] >= '0' && text[i] <= '9') {
      value = value * 10 + (text[i] - '0');
    } else {
      return -1;
    }
  }
  return dots == 1 ? value : -1;
}

int main(void) {
  char text[5];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[4] == '\0');
  return parse(text) == 123; /* does any text give 123? A test will show one. */
}
