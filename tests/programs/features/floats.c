// Floats: arithmetic, comparisons with NaN, conversions, branches on a symbolic float.
// paths: 4
// exit: 0
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  float third = 1.0f / 3.0f;
  assert(third != 1.0 / 3.0 && third > 0.333 && third < 0.334);
  assert(0.1 + 0.2 != 0.3 && 0.5 + 0.25 == 0.75);
  assert((int)-2.75 == -2 && (unsigned char)200.9f == 200 && (long long)1e18 == 1000000000000000000LL);
  double zero = 0.0, infinite = 1.0 / zero, nothing = infinite - infinite;
  assert(nothing != nothing && !(nothing < 1.0) && infinite > 1e308 && 1.0 / -zero < 0);
  short n = __VERIFIER_nondet_short();
  assert((short)(float)n == n);
  if (x != x)
    return 0;
  if (x > 1e30f)
    assert(x + 1.0f == x);
  else if (x == 0.5f)
    assert(x * 2 == 1.0f);
  return 0;
}
