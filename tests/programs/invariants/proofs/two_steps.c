// Rounds move by one or by two: the distance lies between the number of rounds and twice that.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
#ifdef WRAPS
  unsigned short way = 0;
#else
  long way = 0;
#endif
  int n = __VERIFIER_nondet_int(), rounds;
  if (n < 0) return 0;
  for (rounds = 0; rounds < n; rounds++) {
#ifdef MUTANT
    way += __VERIFIER_nondet_bool() ? 3 : 1;
#else
    way += __VERIFIER_nondet_bool() ? 2 : 1;
#endif
  }
  assert(rounds == n);
  assert(way >= n);
  assert(way <= 2L * n);
}
