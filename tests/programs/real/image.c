// Reads a bitmap with a palette, flips it and counts its colours.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);

#define COLOURS 4
#define PIXELS_MAX 9

struct header {
  int width, height; /* a negative height: the rows are stored from the bottom */
  int depth;         /* bits per pixel */
};

struct image {
  int width, height;
  uint8_t *pixels;
};

static int read_header(struct header *h) {
  h->width = __VERIFIER_nondet_int();
  h->height = __VERIFIER_nondet_int();
  h->depth = __VERIFIER_nondet_uchar();
  if (h->width <= 0 || h->height == 0 || h->depth > 8)
    return -1;
#ifndef BUG
  if (h->depth != 1 && h->depth != 2)
    return -1;
  if (h->height == INT_MIN)
    return -1;
#endif
  return 0;
}

/* Bytes of a row, without padding. */
static int row_bytes(const struct header *h) {
  // expect: division-by-zero @+1
  int per_byte = 8 / h->depth;
  return h->width / per_byte + (h->width % per_byte != 0);
}

static int create(struct image *image, const struct header *h) {
  image->width = h->width;
  // expect: signed-overflow @+1
  image->height = h->height < 0 ? -h->height : h->height;
#ifdef BUG
  // expect: signed-overflow @+1
  int size = image->width * image->height;
  if (size > PIXELS_MAX)
    return -1;
#else
  if (image->width > PIXELS_MAX / image->height)
    return -1;
  int size = image->width * image->height;
#endif
  image->pixels = malloc((size_t)size);
  return image->pixels ? 0 : -1;
}

/* Unpacks the pixels of each row; a row can end early (byte 0xff). */
static void read_pixels(struct image *image, const struct header *h) {
  int bytes = row_bytes(h), per_byte = 8 / h->depth;
#ifndef BUG
  memset(image->pixels, 0, (size_t)(image->width * image->height));
#endif
  for (int y = 0; y < image->height; y++) {
    int x = 0;
    for (int i = 0; i < bytes; i++) {
      unsigned packed = __VERIFIER_nondet_uchar();
      if (packed == 0xff)
        break;
#ifdef BUG
      for (int k = 0; k < per_byte; k++)
#else
      for (int k = 0; k < per_byte && x < image->width; k++)
#endif
        // expect: out-of-bounds @+1
        image->pixels[y * image->width + x++] = (uint8_t)(packed >> k * h->depth & ((1u << h->depth) - 1));
    }
  }
}

static void swap_rows(uint8_t *a, uint8_t *b, int width) {
  for (int x = 0; x < width; x++) {
    uint8_t kept = a[x];
    a[x] = b[x];
    b[x] = kept;
  }
}

static void flip(struct image *image) {
  for (int y = 0; y < image->height / 2; y++)
    swap_rows(image->pixels + y * image->width, image->pixels + (image->height - 1 - y) * image->width, image->width);
}

static int brightest(const struct image *image) {
  int best = 0;
  for (int i = 0; i < image->width * image->height; i++)
    // expect: uninitialized @+1
    if (image->pixels[i] > best)
      best = image->pixels[i];
  return best;
}

int main(void) {
  struct header header;
  struct image image;
  if (read_header(&header) < 0)
    return 1;
  if (create(&image, &header) < 0)
    return 1;
  read_pixels(&image, &header);
  if (header.height < 0)
    flip(&image);
  printf("%d\n", brightest(&image));
  free(image.pixels);
  return 0;
}
