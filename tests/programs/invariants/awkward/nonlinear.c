// Products and squares are not linear; what is linear beside them is found all the same.
// says: i == #loop1
// silent: square ==
#include "../verifier.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int square = 0, i;
  for (i = 0; i < n; i++) square += i * n;
  if (i != n) return 1;
  return square * square;
}
