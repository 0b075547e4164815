// Stores of several sizes to parts of one word, in a loop.
// verdict: FALSE
#include "verifier.h"

static unsigned word = 0x11111111;
static unsigned char *bytes = (unsigned char *)&word;

int main(void) {
  for (int i = 0; i < 3; i++) {
    unsigned char c = __VERIFIER_nondet_uchar() & 3;
    if (c == 0)
      bytes[i] = 2;
    else if (c == 1)
      word = 0;
    else if (c == 2)
      *(unsigned short *)(bytes + 1) = 0x3333;
  }
  // expect: TRUE @+1
  assert(word != 0x11111122);
  // expect: FALSE @+1
  assert(word != 0x11111102);
  // expect: FALSE @+1
  assert(word != 0x00333300);
  // expect: FALSE @+1
  assert(word != 0x11023302);
  // expect: TRUE @+1
  assert(word != 0x11330233);
}
