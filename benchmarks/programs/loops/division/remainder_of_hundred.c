// A remainder in chunks and then in ones.
// verdict: TRUE
// inputs: 250
#include "../task.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = x;
  while (y >= 100000) y -= 100000;
  while (y >= 100) y -= 100;
  assert(y == x % 100 MUTANT(, && y != 50));
  return 0;
}
