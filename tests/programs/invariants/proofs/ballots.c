// Every ballot goes to one side or the other: x + y == n, though nobody knows which way any of them went.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
#ifdef WRAPS
  unsigned char yes = 0, no = 0;
#else
  int yes = 0, no = 0;
#endif
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  for (int i = 0; i < n; i++) {
    if (__VERIFIER_nondet_bool())
      yes++;
    else
      no++;
#ifdef MUTANT
    if (i == 3) no++;
#endif
  }
  assert(yes + no == n);
}
