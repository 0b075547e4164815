// The alternating bit protocol over two channels that lose messages: nothing is delivered twice, or out of order.
// twin: to.bit == awaited => 1
// twin: back.bit == bit => 1
#include "../verify/verifier.h"

static struct {
  _Bool full;
  unsigned char bit, data;
} to, back;

int main(void) {
  unsigned char bit = 0, awaited = 0, data = 0, expected = 0;
  _Bool sending = 0;
  while (1) {
    switch (__VERIFIER_nondet_uchar() & 3) {
    case 0: // send, or send again
      if (!sending) {
        data = (data + 1) & 3;
        sending = 1;
      }
      to.full = 1;
      to.bit = bit;
      to.data = data;
      break;
    case 1: // receive, and acknowledge
      if (!to.full) break;
      to.full = 0;
      if (to.bit == awaited) {
        expected = (expected + 1) & 3;
        assert(to.data == expected);
        awaited ^= 1;
      }
      back.full = 1;
      back.bit = to.bit;
      break;
    case 2:
      if (!back.full) break;
      back.full = 0;
      if (sending && back.bit == bit) {
        sending = 0;
        bit ^= 1;
      }
      break;
    default: // a message is lost
      if (__VERIFIER_nondet_bool()) to.full = 0;
      else back.full = 0;
    }
  }
}
