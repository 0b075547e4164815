/* A session as a state machine: no data before the key is agreed on, whatever arrives in twelve steps. */
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
        keys = resumed ? 2 : 1;
        state = KEYED;
      } else if (event == 9) {
        state = IDLE;
      }
      break;
    case KEYED:
      if (event == 3)
        state = OPEN;
      else if (event == 9)
        keys = 1, state = GREETED;
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
