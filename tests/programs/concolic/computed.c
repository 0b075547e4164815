// Comparisons of computed values within each other, a switch among them.
#include <stdlib.h>
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
  unsigned char s[8];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned x = s[0] * 31u + s[1] * 17u, y = (s[2] ^ x) * 3u;
  if (x % 1009 != 500)
    return 1;
  if (y % 257 != 99)
    return 2;
  switch ((s[3] << 4 | s[4] >> 4) - (int)x) {
  case 1234: break;
  case 77: return 4;
  default: return 3;
  }
  if (s[5] * s[6] != 11663 || s[7] != ((x + y) & 255))
    return 5;
  // expect: abort @+1
  abort();
}
