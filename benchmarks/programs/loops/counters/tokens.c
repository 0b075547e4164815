// Tokens are moved between three places.
// verdict: TRUE
// inputs: 0 1 2 2
#include "../task.h"

int main(void) {
  int a = 3, b = 0, c = 0;
  while (1) {
    unsigned char e = __VERIFIER_nondet_uchar();
    if (e == 0 && a > 0) {
      a--;
      b++;
    } else if (e == 1 && b > 0) {
      b--;
      c++;
    } else if (e == 2 && c > MUTANT(0, -1)) {
      c--;
      a++;
    } else if (e == 9)
      break;
    assert(a >= 0 && b >= 0 && c >= 0 && a + b + c == 3);
  }
  return 0;
}
