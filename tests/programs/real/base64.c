// Base64: encoding and decoding with padding, into buffers that are allocated to size.
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static signed char values[UCHAR_MAX + 1];

static void prepare(void) {
  memset(values, -1, sizeof values);
  for (int i = 0; i < 64; i++)
    values[(unsigned char)alphabet[i]] = (signed char)i;
}

static char *encode(const unsigned char *data, size_t size) {
#ifdef BUG
  size_t room = (size + 2) / 3 * 4;
#else
  size_t room = (size + 2) / 3 * 4 + 1;
#endif
  char *text = malloc(room), *to = text;
  if (!text)
    return NULL;
  while (size >= 3) {
    *to++ = alphabet[data[0] >> 2];
    *to++ = alphabet[(data[0] & 3) << 4 | data[1] >> 4];
    *to++ = alphabet[(data[1] & 15) << 2 | data[2] >> 6];
    *to++ = alphabet[data[2] & 63];
    data += 3;
    size -= 3;
  }
  if (size) {
    *to++ = alphabet[data[0] >> 2];
    if (size == 1) {
      *to++ = alphabet[(data[0] & 3) << 4];
      *to++ = '=';
    } else {
      *to++ = alphabet[(data[0] & 3) << 4 | data[1] >> 4];
      *to++ = alphabet[(data[1] & 15) << 2];
    }
    *to++ = '=';
  }
  // expect: out-of-bounds @+1
  *to = '\0';
  return text;
}

static int value_of(char c) {
#ifdef BUG
  // expect: out-of-bounds @+1
  return values[(signed char)c];
#else
  return values[(unsigned char)c];
#endif
}

/* Returns the number of bytes written to out, or -1 if the text is not base64 or there is no room. */
static int decode(const char *text, size_t length, unsigned char *out, size_t room) {
  size_t n = 0;
  if (length == 0)
    return 0;
#ifndef BUG
  if (length % 4 != 0)
    return -1;
#endif
  for (size_t i = 0; i < length; i += 4) {
    int padding = 0;
    unsigned long group = 0;
    for (size_t k = 0; k < 4; k++) {
      // expect: out-of-bounds @+1
      char c = text[i + k];
      if (c == '=' && k >= 2 && i + 4 >= length) {
        padding++;
        group <<= 6;
        continue;
      }
      int value = value_of(c);
      if (value < 0 || padding)
        return -1;
      group = group << 6 | (unsigned long)value;
    }
    if (n + 3 - (size_t)padding > room)
      return -1;
    out[n++] = (unsigned char)(group >> 16);
    if (padding < 2)
      out[n++] = (unsigned char)(group >> 8);
    if (padding < 1)
      out[n++] = (unsigned char)group;
  }
  return (int)n;
}

static void decode_untrusted(size_t length, size_t room) {
  unsigned char out[6];
  char text[9];
  klee_make_symbolic(text, sizeof text, "text");
  printf("%d bytes\n", decode(text, length, out, room));
}

static void round_trip(size_t size) {
  unsigned char data[5], back[5];
  klee_make_symbolic(data, sizeof data, "data");
  char *text = encode(data, size);
  if (!text)
    return;
  int n = decode(text, strlen(text), back, sizeof back);
  assert(n == (int)size);
  assert(memcmp(data, back, size) == 0);
  free(text);
}

int main(void) {
  prepare();
  int size = klee_range(0, 10, "size");
  if (size <= 5 && klee_range(0, 2, "mode"))
    round_trip((size_t)size);
  else
    decode_untrusted((size_t)size, klee_range(0, 2, "small") ? 5 : 6);
  return 0;
}
