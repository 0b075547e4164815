// Floats are ignored, soundly: a branch on one goes both ways.
// says: i == #loop1
// silent: never reached
#include "../verifier.h"
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double d = __VERIFIER_nondet_double(), s = 0;
  int n = 100, i = 0, hits = 0;
  for (; i < 100; i++) {
    s += d;
    if (s > 1.5) hits++;
    n = 100 + (int)(s == s);
  }
  return hits > 3 ? hits : i;
}
