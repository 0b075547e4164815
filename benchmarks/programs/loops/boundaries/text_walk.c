// A pointer walks to the end of a constant text.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  const char *text = "one loop of many", *p = text;
  int spaces = 0;
  while (*p) {
    if (*p == ' ') spaces++;
    p++;
  }
  assert(p - text == 16 && spaces == MUTANT(3, 4));
  return 0;
}
