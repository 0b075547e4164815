// Computed values are compared before a loop that has more paths than anybody walks, and decide what is done after it.
#include <stdlib.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
  unsigned char s[24];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned x = s[0] * 251u + s[1] * 7u, y = (s[2] ^ x) * 3u + s[3];
  int is_wanted = 0, letters = 0;
  if (x == 40007 && y % 509 == 77)
    is_wanted = 1;
  for (int i = 4; i < 24; i++)
    if (s[i] > 100)
      letters++;
  if (is_wanted && letters < 3)
    // expect: abort @+1
    abort();
  return letters;
}
