/* Twenty switches, each of which may be on. How bright it gets depends on all of them, the fuse hardly:
   the assertion holds, and a look at a handful of the million paths is enough to know. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int brightness; /* in memory: what switches do to it cannot be turned into a choice of values */

int main(void) {
  int wanted = __VERIFIER_nondet_int();
  int fuse = wanted > 16 ? 16 : wanted;
#define LIGHT(power) if (__VERIFIER_nondet_int()) brightness += power
  LIGHT(1); LIGHT(2); LIGHT(3); LIGHT(4); LIGHT(5); LIGHT(6); LIGHT(7); LIGHT(8); LIGHT(9); LIGHT(10);
  LIGHT(11); LIGHT(12); LIGHT(13); LIGHT(14); LIGHT(15); LIGHT(16); LIGHT(17); LIGHT(18); LIGHT(19); LIGHT(20);
  if (brightness > 100)
    fuse = 0;
  assert(fuse <= 16);
  return brightness;
}
