// goto: forwards out of nested loops, backwards as a loop, to a common end.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int tries = 0, found = -1, x;
again:
  x = __VERIFIER_nondet_int();
  tries++;
  if (x < 0 && tries < 3) goto again;
  if (x < 0) goto failed;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      if (i * 2 + j == x) {
        found = i;
        goto done;
      }
failed:
  // expect: TRUE @+1
  assert(found == -1);
  // expect: FALSE @+1
  assert(tries != 3);
  return 1;
done:
  // expect: TRUE @+1
  assert(found >= 0 && found < 3);
  // expect: FALSE @+1
  assert(found != 2 || x != 5);
  // expect: TRUE @+1
  assert(x / 2 == found);
}
