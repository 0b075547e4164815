// A decompressor for a small container: stored, run-length and LZ77 blocks, with a header and a checksum.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>

#define INPUT_SIZE 12

enum { STORED, RUNS, LZ };

struct stream {
  const uint8_t *data;
  size_t size, at;
  uint8_t *out;
  size_t room, used;
};

static int get(struct stream *s) { return s->at < s->size ? s->data[s->at++] : -1; }

/* A block that is stored as it is. */
static int stored(struct stream *s) {
  int length = get(s);
  if (length < 0)
    return -1;
#ifndef BUG
  if (s->size - s->at < (size_t)length)
    return -1;
#endif
  if (s->room - s->used < (size_t)length)
    return -1;
  // expect: out-of-bounds @+1
  memcpy(s->out + s->used, s->data + s->at, (size_t)length);
  s->used += (size_t)length;
  s->at += (size_t)length;
  return 0;
}

/* Pairs of count and value; a count of zero ends the block. */
static int runs(struct stream *s) {
  for (;;) {
    int count = get(s);
    if (count <= 0)
      return count;
    int value = get(s);
    if (value < 0)
      return -1;
#ifdef BUG
    while (count-- > 0 && s->used <= s->room)
#else
    while (count-- > 0 && s->used < s->room)
#endif
      // expect: out-of-bounds @+1
      s->out[s->used++] = (uint8_t)value;
  }
}

/* Control bytes: below 128 a literal of one byte follows; otherwise a distance, and the low bits are the length. */
static int lz(struct stream *s) {
  int remaining = get(s);
  while (remaining-- > 0) {
    int control = get(s);
    if (control < 0)
      return -1;
    if (control < 128) {
      if (s->used == s->room)
        return -1;
      s->out[s->used++] = (uint8_t)control;
      continue;
    }
    int distance = get(s);
    size_t length = (size_t)(control & 15) + 2;
    if (distance <= 0 || length > s->room - s->used)
      return -1;
#ifndef BUG
    if ((size_t)distance > s->used)
      return -1;
#endif
    for (size_t i = 0; i < length; i++, s->used++)
      // expect: out-of-bounds @+1
      s->out[s->used] = s->out[s->used - (size_t)distance];
  }
  return 0;
}

static unsigned checksum(const uint8_t *data, size_t size) {
  unsigned a = 1, b = 0;
  for (size_t i = 0; i < size; i++) {
    // expect: use-after-free @+1
    a = (a + data[i]) % 251;
    b = (b + a) % 251;
  }
  return b << 8 | a;
}

/* Header: 'L', kind, size of the output in 16 bits, big-endian; then blocks of that kind. */
static int decompress(const uint8_t *data, size_t size, unsigned *sum) {
  struct stream s = {.data = data, .size = size, .at = 4};
  if (size < 4 || data[0] != 'L')
    return -1;
#ifdef BUG
  uint8_t total = (uint8_t)(data[2] << 8 | data[3]);
#else
  uint16_t total = (uint16_t)(data[2] << 8 | data[3]);
#endif
  s.room = (size_t)(data[2] << 8 | data[3]);
  if (s.room > 300)
    return -1;
  s.out = malloc(total);
  if (!s.out)
    return -1;
  // expect: out-of-bounds @+1
  memset(s.out, 0, s.room);
  int status;
  switch (data[1]) {
  case STORED:
    status = stored(&s);
    break;
  case RUNS:
    status = runs(&s);
    break;
  case LZ:
    status = lz(&s);
    break;
  default:
    status = -1;
  }
  if (status == 0 && s.used != s.room)
    status = -1;
#ifdef BUG
  if (status < 0) {
    free(s.out);
    puts("damaged");
  }
  *sum = checksum(s.out, s.used);
  // expect: double-free @+1
  free(s.out);
#else
  if (status == 0)
    *sum = checksum(s.out, s.used);
  else
    puts("damaged");
  free(s.out);
#endif
  return status;
}

int main(void) {
  uint8_t data[INPUT_SIZE];
  unsigned sum = 0;
  klee_make_symbolic(data, sizeof data, "data");
  int size = klee_range(0, INPUT_SIZE + 1, "size");
  if (decompress(data, (size_t)size, &sum) == 0)
    printf("checksum %u\n", sum);
  return 0;
}
