/* jsmn: a text of N bytes becomes at most T tokens. With USE, each of them must lie within the text. */
#include "jsmn.h"
#include <klee/klee.h>

#ifndef N
#define N 6
#endif
#ifndef T
#define T 4
#endif

int main(void) {
  char text[N];
  jsmntok_t tokens[T];
  jsmn_parser parser;
  klee_make_symbolic(text, sizeof text, "text");
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, text, sizeof text, tokens, T);
#ifdef USE
  for (int i = 0; i < count; i++)
    if (tokens[i].start < 0 || tokens[i].end < tokens[i].start || tokens[i].end > N)
      return 2;
#endif
  return count < 0;
}
