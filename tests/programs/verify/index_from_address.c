// The number of an address as an index.
// verdict: TRUE
#include "verifier.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *earlier = 0, a[8] = {0}, found = 0;
  if (__VERIFIER_nondet_bool()) earlier = malloc(4);
  int *p = malloc(4);
  unsigned long hash = ((uintptr_t)p >> 32) & 7;
  a[hash] = 1;
  for (int i = 0; i < 8; i++)
    if (a[i]) found = i;
  // expect: TRUE @+1
  assert((unsigned long)found == hash);
}
