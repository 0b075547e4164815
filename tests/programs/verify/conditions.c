// Conditions of several parts; switch with cases that fall through.
// verdict: FALSE
#include "verifier.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), kind = 0, points = 0;
  if ((x > 0 && y > 0) || (x < -5 && !(y > 3))) kind = 1;
  // expect: TRUE @+1
  assert(!kind || x > 0 || x < -5);
  // expect: FALSE @+1
  assert(!kind || y > 0);
  switch (x & 3) {
  case 3: points += 3;
  case 2: points += 2;
  case 1: points += 1; break;
  default: points = 10;
  }
  // expect: FALSE @+1
  assert(points != 6);
  // expect: TRUE @+1
  assert(points != 5);
  // expect: TRUE @+1
  assert(points != 1 || x % 2);
  int z = x > y ? x : y;
  // expect: TRUE @+1
  assert(z >= x && z >= y);
}
