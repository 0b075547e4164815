// A connection with six states and fourteen events; what was opened is closed, and nothing is sent while it is not open.
// twin: case 7: if (state == OPEN) { state = CLOSING; => case 7: { state = CLOSING;
// twin: case 12: state = IDLE; sockets = 0; => case 12: state = IDLE;
#include "../verify/verifier.h"

enum { IDLE, LOOKUP, CONNECTING, OPEN, CLOSING, FAILED };

static int state, sockets, retries, queued;

int main(void) {
  for (;;) {
    unsigned char event = __VERIFIER_nondet_uchar();
    switch (event) {
    case 0: if (state == IDLE) { state = LOOKUP; retries = 0; } break;
    case 1: if (state == LOOKUP) { state = CONNECTING; sockets++; } break;
    case 2: if (state == LOOKUP) state = FAILED; break;
    case 3: if (state == CONNECTING) state = OPEN; break;
    case 4: if (state == CONNECTING && retries < 3) retries++; break;
    case 5: if (state == CONNECTING && retries == 3) { state = FAILED; sockets--; } break;
    case 6: if (state == OPEN && queued < 4) queued++; break;
    case 7: if (state == OPEN) { state = CLOSING; } break;
    case 8: if (state == OPEN && queued > 0) { assert(sockets == 1); queued--; } break;
    case 9: if (state == CLOSING && queued > 0) queued--; break;
    case 10: if (state == CLOSING && queued == 0) { state = IDLE; sockets--; } break;
    case 11: if (state == FAILED) { state = IDLE; queued = 0; } break;
    case 12: state = IDLE; sockets = 0; queued = 0; break;
    case 13: if (state == OPEN) retries = 0; break;
    default: continue;
    }
    assert(sockets == (state == CONNECTING || state == OPEN || state == CLOSING));
    assert(state == OPEN || state == CLOSING || queued == 0);
  }
}
