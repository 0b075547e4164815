// A sensor with a limit, and errors that are forgotten.
// verdict: TRUE
// inputs: 50
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  unsigned char v, last = 0; int cnt = 0, err = 0;
  while (cnt < 1000) {
    v = __VERIFIER_nondet_uchar();
    if (v > 200) { err++; if (err > 3) err = 3; } else if (err > 0) err--;
    last = v > 100 ? 100 : v;
    __VERIFIER_assert(last <= 100 && err >= 0 && err <= 3 MUTANT(, && (last != 50)));
    cnt++;
  }
}
