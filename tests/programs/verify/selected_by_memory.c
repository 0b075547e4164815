// Which number is selected depends on all that was written before. Either will do: no reason needs that.
// verdict: TRUE
// paths: 4
// plain: no
#include "verifier.h"

static int load;

int main(void) {
  int wanted = __VERIFIER_nondet_int();
  int fuse = wanted > 16 ? 16 : wanted;
  for (int i = 0; i < 18; i++)
    if (__VERIFIER_nondet_int())
      load += i;
  if (load > 100)
    fuse = 0;
  // expect: TRUE @+1
  assert(fuse <= 16);
  return 0;
}
