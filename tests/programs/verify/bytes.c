// Values that are written as one type and read as another, and copied by library functions.
// verdict: FALSE
#include "verifier.h"
#include <string.h>

union word {
  unsigned all;
  unsigned char part[4];
};

int main(void) {
  union word w = {0}, v;
  unsigned char x = __VERIFIER_nondet_uchar();
  if (x > 7)
    w.part[0] = x;
  else
    w.part[1] = 1;
  memcpy(&v, &w, sizeof v);
  // expect: TRUE @+1
  assert(v.all == x || v.all == 256);
  // expect: FALSE @+1
  assert(v.all != 256);
  if (x == 9) memset(&v, 0, sizeof v);
  // expect: FALSE @+1
  assert(v.all);
  char text[8] = "abc";
  if (x > 100) text[1] = 0;
  // expect: TRUE @+1
  assert(strlen(text) == (x > 100 ? 1 : 3));
}
