/* As handshake_safe, but whoever begins anew loses the key, and a resumed session may then skip the exchange. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { IDLE, GREETED, KEYED, OPEN, CLOSED };

int main(void) {
  enum state state = IDLE;
  int keys = 0;
  int resumed = __VERIFIER_nondet_int() != 0;
  for (int step = 0; step < 12 && state != CLOSED; step++) {
    int event = __VERIFIER_nondet_int();
    switch (state) {
    case IDLE:
      if (event == 1)
        state = GREETED;
      else if (event < 0)
        state = CLOSED;
      break;
    case GREETED:
      if (event == 2) {
        keys = 1;
        state = KEYED;
      } else if (event == 5 && resumed > 1) {
        state = KEYED;
      }
      break;
    case KEYED:
      if (event == 3) {
        state = OPEN;
      } else if (event == 9) {
        keys = 0;
        resumed += resumed;
        state = GREETED;
      }
      break;
    case OPEN:
      assert(keys > 0);
      if (event == 4)
        state = CLOSED;
      break;
    default:
      break;
    }
  }
  return 0;
}
