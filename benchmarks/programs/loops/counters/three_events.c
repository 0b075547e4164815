// Three kinds of events, counted apart and together.
// verdict: TRUE
// inputs: 0 1 1 2 2 2 3
#include "../task.h"

int main(void) {
  unsigned n = 0, a = 0, b = 0, c = 0;
  while (n < 1000000) {
    unsigned e = __VERIFIER_nondet_uint();
    if (e == 0)
      a++;
    else if (e == 1)
      b++;
    else if (e == 2)
      c++;
    else
      break;
    n++;
  }
  assert(a + b + c == n MUTANT(, && !(a == 1 && b == 2 && c == 3)));
  return 0;
}
