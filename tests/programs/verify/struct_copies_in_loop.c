// Structs copied as a whole and in part, from one iteration to the next.
// verdict: FALSE
#include "verifier.h"
#include <string.h>

static struct s {
  int a, b;
  char t[4];
} ring[3], current;

int main(void) {
  for (int i = 0; i < 3; i++) {
    unsigned char c = __VERIFIER_nondet_uchar() & 3;
    current.a = c;
    current.t[i] = c;
    if (c == 2)
      memcpy(&ring[i], &current, sizeof current);
    else if (c == 1)
      ring[i] = i ? ring[i - 1] : current;
    else
      ring[i].b = 7;
    memmove(&current.b, &ring[i].a, sizeof(int));
  }
  if (ring[2].a == 1) {
    // expect: TRUE @+1
    assert(ring[0].a == 1 && ring[1].a == 1);
  }
  // expect: FALSE @+1
  assert(!(ring[2].a == 2 && ring[2].b == 2 && ring[2].t[1] == 1));
  // expect: FALSE @+1
  assert(ring[1].t[0] != 3);
  // expect: TRUE @+1
  assert(current.b == ring[2].a);
}
