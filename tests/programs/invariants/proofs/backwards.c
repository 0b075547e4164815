// A loop made of goto, with an input that is an object in memory.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
#ifdef WRAPS
  unsigned start;
#else
  unsigned short start;
#endif
  klee_make_symbolic(&start, sizeof start, "start");
  int up = 0, down = start;
again:
#ifdef MUTANT
  if (down < 0) goto done;
#else
  if (down <= 0) goto done;
#endif
  up++;
  down--;
  if (__VERIFIER_nondet_bool()) goto again;
  if (up < 1000) goto again;
done:
  assert(down >= 0);
  assert((unsigned)(up + down) == start);
}
