// Two pointers that change places while what they point to is counted.
#include "../verify/verifier.h"

static void step(int *x, int *y) {
  *x += 1;
  *y += *x;
}

int main(void) {
  int a = 0, b = 0, p = 0, q = 0;
  int *to = &a, *from = &b;
  for (int i = 0; i < 5; i++) {
    *to += 1;
    if (__VERIFIER_nondet_int() == 7) {
      int *old = to;
      to = from;
      from = old;
    }
    if (i & 1) step(&p, &q);
    else step(&p, &p);
  }
  // reach: REACHED label divided
  if (a == 2 && b == 3) { divided: return 1; }
  // reach: UNREACHABLE label lost
  if (a + b != 5) { lost: return 2; }
  return p + q;
}
