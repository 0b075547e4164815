// Four kinds of input, each behind what changes at random do not get through: checksums, a number that is read from text
// and computed with, nested comparisons of computed values, the number of rounds of a loop.
#include <klee/klee.h>
#include <stdint.h>
#ifndef N
#define N 48
#endif

static uint32_t crc32(const uint8_t *s, int size) {
  uint32_t c = 0xffffffffu;
  for (int i = 0; i < size; i++) {
    c ^= s[i];
    for (int k = 0; k < 8; k++)
      c = c >> 1 ^ (0xEDB88320u & -(c & 1));
  }
  return ~c;
}

// Chunks of 16 bytes; the CRC of each one with its own at the end is that of any such chunk.
static int chunks(const uint8_t *s, int size) {
  int wide = 0, high = 0;
  for (int at = 0; at + 16 <= size; at += 16) {
    if (crc32(s + at, 16) != 0x2144DF1Cu)
      return 1;
    if (s[at] == 'W')
      wide++;
    else if (s[at] > 200)
      high++;
  }
  if (wide == 1 && high == 1)
    return 2;
  return wide > high ? 3 : 4;
}

// A decimal number between braces, and a hash of it that is not stored as it is.
static int number(const uint8_t *s, int size) {
  int at = 1, value = 0;
  if (s[0] != '{')
    return 1;
  while (at < 9 && s[at] >= '0' && s[at] <= '9')
    value = value * 10 + s[at++] - '0';
  if (at < 4 || s[at++] != '}')
    return 2;
  if ((value ^ 77) * 7 % 65521 != 25987)
    return 3;
  uint32_t hash = 2166136261u, given = 0;
  for (int i = 0; i < at; i++)
    hash = (hash ^ s[i]) * 16777619u;
  for (int i = 0; i < 4; i++)
    given = given << 7 | (s[at + i] & 127);
  if (given != (hash & 0xfffffff))
    return 4;
  return value > 9999 ? 5 : 6;
}

// What is compared are never bytes of the input, and each comparison depends on those before.
static int nested(const uint8_t *s, int size) {
  uint32_t x = s[0] * 31u + s[1] * 17u, y = (s[2] ^ x) * 3u;
  if (x % 1009 != 500)
    return 1;
  if (y % 257 != 99)
    return 2;
  switch ((s[3] << 4 | s[4] >> 4) - (int)x) {
  case 1234: break;
  case 77: return 3;
  default: return 4;
  }
  if (s[5] * s[6] != 11663 || s[7] != ((x + y) & 255))
    return 5;
  uint32_t z = (x << 16 | y) * 2654435761u + (s[8] | s[9] << 8 | (uint32_t)s[10] << 16 | (uint32_t)s[11] << 24) * 40503u;
  if (z == 0xC0FFEE11u)
    return 6;
  return 7;
}

// Words are counted, and how often one is as long as the one before.
static int words(const uint8_t *s, int size) {
  int count = 0, length = 0, last = 0, equal = 0;
  for (int i = 0; i < size; i++) {
    if (s[i] >= 'a' && s[i] <= 'z') {
      length++;
    } else if (s[i] == ' ') {
      count++;
      equal += length == last;
      last = length, length = 0;
    } else {
      return 1;
    }
  }
  if (count != 19)
    return 2;
  if (equal == 3 && length == 7)
    return 3;
  return 4;
}

int main(void) {
  uint8_t s[N];
  klee_make_symbolic(s, sizeof s, "s");
  switch (s[0]) {
  case 'C': return chunks(s + 1, N - 1);
  case 'N': return number(s + 1, N - 1);
  case 'V': return nested(s + 1, N - 1);
  case 'W': return words(s + 1, N - 1);
  default: return 0;
  }
}
