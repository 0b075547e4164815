// Branches that only choose between values, around targets and conditions made of several parts.
#include "../verify/verifier.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int(), most;
  most = a > b ? a : b;
  if (c > most) most = c;
  if (most < a || most < b || most < c)
    // reach: UNREACHABLE line @+1
    return 1;
  if (most == a && most == b && most != c && c == 100)
    // reach: REACHED line @+1
    return 2;
  if ((a == 1 || b == 1) && !(a == 1 && b == 1))
    // reach: REACHED line @+1
    return most != 1 ? 3 : 4;
  return 0;
}
