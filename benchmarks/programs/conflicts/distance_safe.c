/* The distance of two magnitudes is never negative. Eight paths reach the assertion; the last comparison decides it
   alone, so that two of them are enough. */
#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
  int here = __VERIFIER_nondet_short();
  int there = __VERIFIER_nondet_short();
  if (here < 0)
    here = -here;
  if (there < 0)
    there = -there;
  int distance = here - there;
  if (here < there)
    distance = there - here;
  assert(distance >= 0);
  return 0;
}
