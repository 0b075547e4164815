// Alternating bit: sender and receiver agree on what was delivered.
// verdict: TRUE
// inputs: 0 1 0 1 1
#include "../task.h"

int main(void) {
  int sender_bit = 0, receiver_bit = 0, packet = -1, acknowledged = -1, sent = 0, delivered = 0;
  while (1) {
    switch (__VERIFIER_nondet_int()) {
      case 0: packet = sender_bit; break;
      case 1:
        if (packet >= 0) {
          if (packet == receiver_bit MUTANT(, || delivered == 0 || delivered == 1)) {
            delivered = (delivered + 1) % 4;
            receiver_bit = !receiver_bit;
          }
          acknowledged = packet;
          packet = -1;
        }
        break;
      case 2:
        if (acknowledged == sender_bit) {
          sender_bit = !sender_bit;
          sent = (sent + 1) % 4;
        }
        acknowledged = -1;
        break;
      case 3: packet = -1; break;
      default: break;
    }
    assert(delivered == sent || delivered == (sent + 1) % 4);
  }
}
