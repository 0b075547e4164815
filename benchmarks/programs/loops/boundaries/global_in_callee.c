// The callee changes the global that bounds the loop.
// verdict: TRUE
// inputs: 4
#include "../task.h"

static int left;

static void consume(int amount) {
  if (left >= amount)
    left -= amount;
  else
    left = 0;
}

int main(void) {
  left = __VERIFIER_nondet_int();
  __VERIFIER_assume(left > 0 && left < 1000000);
  int start = left, rounds = 0;
  while (left > 0) {
    consume(3);
    rounds++;
  }
  assert(rounds == (start + MUTANT(2, 1)) / 3);
  return 0;
}
