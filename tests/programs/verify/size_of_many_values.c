// More lengths than are tried one by one.
// verdict: FALSE
#include "verifier.h"
#include <string.h>

static int a[300];

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  memset(a, 1, n);
  const char *bytes = (const char *)a;
  int s = 0;
  if (n > 200) s = bytes[199];
  // expect: FALSE @+1
  assert(!(n == 250 && s == 1));
}
