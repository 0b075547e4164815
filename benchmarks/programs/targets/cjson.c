/* cJSON: a text of N bytes, and a zero, is parsed; what comes out is printed and freed. */
#include "cJSON.h"
#include <klee/klee.h>

#ifndef N
#define N 6
#endif

int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[N] == '\0');
  cJSON *value = cJSON_Parse(text);
  if (value == 0)
    return 1;
  char *printed = cJSON_PrintUnformatted(value);
  if (printed != 0)
    cJSON_free(printed);
  cJSON_Delete(value);
  return 0;
}
