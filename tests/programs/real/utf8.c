// A UTF-8 decoder and encoder: validation, counting, upper-casing of what is valid.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>

enum status { OK, TRUNCATED, BAD_LEAD, BAD_CONTINUATION, OVERLONG, SURROGATE, TOO_BIG, STATUS_COUNT };

static const char *const messages[] = {
    "ok", "truncated", "bad lead byte", "bad continuation byte", "overlong form", "surrogate",
#ifndef BUG
    "beyond U+10FFFF",
#endif
};

static unsigned histogram[4];

static int sequence_length(uint8_t lead) {
  if (lead < 0x80)
    return 1;
  if ((lead & 0xe0) == 0xc0)
    return 2;
  if ((lead & 0xf0) == 0xe0)
    return 3;
  if ((lead & 0xf8) == 0xf0)
    return 4;
  return 0;
}

/* Decodes one character from [*p, end) and moves *p behind it. */
static enum status decode(const uint8_t **p, const uint8_t *end, uint32_t *out) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t *s = *p;
  int length = sequence_length(*s);
  if (length == 0)
    return BAD_LEAD;
#ifndef BUG
  if (end - s < length)
    return TRUNCATED;
#else
  (void)end;
#endif
  uint32_t c = length == 1 ? *s : *s & (0x7fu >> length);
  for (int i = 1; i < length; i++) {
    // expect: out-of-bounds @+1
    if ((s[i] & 0xc0) != 0x80)
      return BAD_CONTINUATION;
    c = c << 6 | (s[i] & 0x3f);
  }
  if (c < smallest[length])
    return OVERLONG;
  if (c >= 0xd800 && c <= 0xdfff)
    return SURROGATE;
  if (c > 0x10ffff)
    return TOO_BIG;
  *out = c;
  *p = s + length;
#ifdef BUG
  // expect: out-of-bounds @+1
  histogram[length]++;
#else
  histogram[length - 1]++;
#endif
  return OK;
}

static size_t encode(uint32_t c, uint8_t *out) {
  if (c < 0x80) {
    out[0] = (uint8_t)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (uint8_t)(0xc0 | c >> 6);
    out[1] = (uint8_t)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (uint8_t)(0xe0 | c >> 12);
    out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c & 0x3f));
    return 3;
  }
  out[0] = (uint8_t)(0xf0 | c >> 18);
  out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
  out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
  out[3] = (uint8_t)(0x80 | (c & 0x3f));
  return 4;
}

/* Simple case mapping of Latin, Greek and Cyrillic letters. */
static uint32_t upper(uint32_t c) {
  // expect: uninitialized @+1
  if ((c >= 'a' && c <= 'z') || (c >= 0xe0 && c <= 0xfe && c != 0xf7) || (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2) ||
      (c >= 0x430 && c <= 0x44f))
    return c - 32;
  return c == 0xff ? 0x178 : c;
}

int main(void) {
  uint8_t text[5];
  klee_make_symbolic(text, sizeof text, "text");
  const uint8_t *p = text, *end = text + sizeof text;
  uint8_t *result = malloc(4 * sizeof text), *to = result;
  if (!result)
    return 1;
  enum status worst = OK;
  size_t count = 0;
  while (p < end && count < 3) {
    uint32_t c;
    enum status status = decode(&p, end, &c);
    if (status != OK) {
      p++;
      if (worst < status)
        worst = status;
#ifndef BUG
      c = 0xfffd;
#endif
    }
    to += encode(upper(c), to);
    count++;
  }
  // expect: out-of-bounds @+1
  printf("%zu characters, %s\n", count, messages[worst]);
  assert(to >= result + count);
  free(result);
  return 0;
}
