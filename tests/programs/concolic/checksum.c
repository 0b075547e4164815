// The CRC32 of all the input must be a given one: no byte of the input stands anywhere to be compared with.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);

static uint32_t table[256];

static void fill(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
}

static uint32_t crc32(const unsigned char *s, int size) {
  uint32_t c = 0xffffffffu;
  for (int i = 0; i < size; i++)
    c = table[(c ^ s[i]) & 255] ^ (c >> 8);
  return ~c;
}

int main(void) {
  unsigned char s[16];
  klee_make_symbolic(s, sizeof s, "s");
  fill();
  if (memcmp(s, "PACK", 4))
    return 1;
  if (crc32(s, sizeof s) != 0x12345678u)
    return 2;
  // expect: abort @+1
  abort();
}
