// Two processes and a turn: never both inside.
// verdict: TRUE
// inputs: 0 0 0 1 1 1
#include "../task.h"

int main(void) {
  int p = 0, q = 0, turn = 0, want_p = 0, want_q = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) {
      switch (p) {
        case 0: want_p = 1; p = 1; break;
        case 1: turn = 1; p = 2; break;
        case 2: if (!want_q || turn == MUTANT(0, 1)) p = 3; break;
        case 3: want_p = 0; p = 0; break;
      }
    } else {
      switch (q) {
        case 0: want_q = 1; q = 1; break;
        case 1: turn = 0; q = 2; break;
        case 2: if (!want_p || turn == 1) q = 3; break;
        case 3: want_q = 0; q = 0; break;
      }
    }
    assert(!(p == 3 && q == 3));
  }
}
