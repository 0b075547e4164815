#include <ctype.h>
#include <stddef.h>

/* The value of a number of at most three digits; -1 where there is none. */
int parse(const char *text) {
  int value = 0, digits = 0;
  if (text == NULL) return -1;
  for (; isdigit((unsigned char)text[digits]) && digits < 3; digits++)
    value = 10 * value + (text[digits] - '0');
  return digits ? value : -1;
}
