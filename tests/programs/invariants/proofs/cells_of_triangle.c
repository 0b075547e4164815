// How many rounds two nested loops make in all is not linear; that there are at least as many as of the outer one is.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
#ifdef WRAPS
  unsigned char cells = 0;
#else
  int cells = 0;
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      cells++;
#ifdef MUTANT
      if (i == 2 && j == 1) cells -= 5;
#endif
    }
  assert(cells >= n);
}
