// A number in decimal digits between braces is changed before it is compared; then its checksum, in disguise, must follow.
#include <stdint.h>
#include <stdlib.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);

static uint32_t hash(const unsigned char *s, int size) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < size; i++)
    h = (h ^ s[i]) * 16777619u;
  return h;
}

int main(void) {
  unsigned char s[16];
  klee_make_symbolic(s, sizeof s, "s");
  int at = 1, value = 0;
  if (s[0] != '{')
    return 1;
  while (at < 8 && s[at] >= '0' && s[at] <= '9')
    value = value * 10 + s[at++] - '0';
  if (s[at++] != '}')
    return 2;
  if ((value ^ 77) * 7 + 3 != 25987)
    return 3;
  uint32_t given = s[at] | s[at + 1] << 8 | s[at + 2] << 16 | (uint32_t)s[at + 3] << 24;
  if ((given ^ 0xa5a5a5a5u) + 77 != hash(s, at))
    return 4;
  // expect: abort @+1
  abort();
}
