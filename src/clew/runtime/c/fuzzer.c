/* The main of a program that has a fuzzer's entry instead: it is called once, with all of standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* --stdin N is at most this */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int main(void) {
  static unsigned char input[MOST];
  size_t size = fread(input, 1, MOST, stdin);
  /* Memory of just this size: an access past the end is one. */
  unsigned char *data = malloc(size);
  memcpy(data, input, size);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  return 0;
}
