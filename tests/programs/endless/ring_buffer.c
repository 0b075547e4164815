// A queue of four bytes: what comes out is what went in first. One byte is followed, all others are anything.
// twin: count < 4 => count <= 4
// twin: tail = (tail + 1) & 3; => tail = (tail + 2) & 3;
#include "../verify/verifier.h"

static unsigned char ring[4];
static unsigned head, tail, count;

int main(void) {
  int ahead = -1; // how many come out before the one that is followed; -1 if there is none
  while (1) {
    if (__VERIFIER_nondet_bool()) {
      if (count < 4) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        if (byte == 77 && ahead < 0) ahead = count;
        else if (byte == 77) byte = 0;
        ring[head] = byte;
        head = (head + 1) & 3;
        count++;
      }
    } else if (count > 0) {
      unsigned char byte = ring[tail];
      tail = (tail + 1) & 3;
      count--;
      assert((byte == 77) == (ahead == 0));
      if (ahead >= 0) ahead--;
    }
    assert(count <= 4 && head == ((tail + count) & 3));
  }
}
