// A function that returns from inside of its loop.
// verdict: TRUE
// inputs: 50
#include "../task.h"

static int first_multiple(int of, int from) {
  for (int i = from;; i++)
    if (i % of == 0) return i;
}

int main(void) {
  int from = __VERIFIER_nondet_int();
  __VERIFIER_assume(from > 0 && from < 100000);
  int m = first_multiple(7, from);
  assert(m >= from && m <= from + MUTANT(6, 5) && m % 7 == 0);
  return 0;
}
