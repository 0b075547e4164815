/* A parser of standard input. Try: clew test examples/settings.c --stdin 8
 *
 * Reads lines such as "n=12" and stores a value for each of the letters a to z.
 */
#include <stdio.h>

static int values['z' - 'a']; /* wrong: one too small */

/* The next line without its end; -1 at the end of the input, or if the line is too long. */
static int read_line(char *line, int size) {
  int c, length = 0;
  while ((c = getchar()) != EOF && c != '\n') {
    if (length == size)
      return -1;
    line[length++] = (char)c;
  }
  line[length] = '\0'; /* wrong: a line of exactly `size` characters leaves no room for this */
  return c == EOF && length == 0 ? -1 : length;
}

int main(void) {
  char line[6];
  while (read_line(line, sizeof line) >= 0) {
    if (line[0] < 'a' || line[0] > 'z' || line[1] != '=')
      return 1;
    int value = 0;
    for (const char *p = line + 2; *p >= '0' && *p <= '9'; p++)
      value = value * 10 + (*p - '0');
    values[line[0] - 'a'] = value;
  }
  return 0;
}
