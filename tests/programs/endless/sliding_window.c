// Stop and wait with sequence numbers of three bits, over a channel that repeats and loses messages.
// twin: message == received => 1
// twin: sent = (sent + 1) & 7; => sent = (sent + 2) & 7;
#include "../verify/verifier.h"

int main(void) {
  unsigned sent = 0, received = 0, message = 0, ack = 7;
  unsigned long delivered = 0;
  _Bool in_flight = 0, ack_in_flight = 0;
  while (1) {
    unsigned char what = __VERIFIER_nondet_uchar();
    if (what == 0) { message = sent; in_flight = 1; }
    else if (what == 1 && in_flight) {
      if (message == received) { delivered++; received = (received + 1) & 7; }
      ack = (received - 1) & 7;
      ack_in_flight = 1;
      in_flight = __VERIFIER_nondet_bool();
    } else if (what == 2 && ack_in_flight) {
      if (ack == sent) sent = (sent + 1) & 7;
      ack_in_flight = 0;
    } else if (what == 3) in_flight = 0;
    unsigned gap = (received - sent) & 7;
    assert(gap <= 1);
  }
}
