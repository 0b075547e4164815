// Two owners by turns: what one has borrowed is given back before the other owns.
// verdict: TRUE
// inputs: 2 1
#include "../task.h"

int main(void) {
  int owner = 0, borrowed = 0;
  unsigned rounds = 0;
  while (rounds++ < 1000000) {
    int event = __VERIFIER_nondet_int();
    if (event == 1 && MUTANT(!borrowed, borrowed < 2)) owner = !owner;
    if (event == 2 && !borrowed) borrowed = owner + 1;
    if (event == 3) borrowed = 0;
    assert(borrowed == 0 || borrowed == owner + 1);
  }
  return 0;
}
