// Something runs before main, and sets where a loop begins.
// chains: yes
#include "../verify/verifier.h"

static int base;

__attribute__((constructor)) static void before(void) {
  for (int i = 0; i < 3; i++) base += 2;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), hits = 0;
  if (n > 9) return 0;
  for (int i = base; i < n; i++)
    if (__VERIFIER_nondet_int() == 1) hits++;
  // reach: REACHED label all
  if (hits == 3 && n == 9) {
  all:
    return 1;
  }
  // reach: UNREACHABLE label more
  if (hits == 4) {
  more:
    return 2;
  }
  return 0;
}
