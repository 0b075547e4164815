// Conditions on floating point numbers.
#include "../verify/verifier.h"

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x > 1.5 && x < 1.75)
    // reach: REACHED line @+1
    return 1;
  if (x != x && x > 0)
    // reach: UNREACHABLE line @+1
    return 2;
  return 0;
}
