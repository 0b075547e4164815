// One loop after another: the second undoes what the first has done.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
#ifdef WRAPS
  short x = 0;
#else
  int x = 0;
#endif
  int done = 0;
  while (done < n) {
    done++;
    x++;
    if (__VERIFIER_nondet_bool()) break;
  }
  int made = x;
  while (x > 0) {
    x--;
    done--;
#ifdef MUTANT
    if (made == 5 && x == 2) done--;
#endif
  }
  assert(x == 0);
  assert(done == 0);
  assert(made <= n);
}
