// Structures by value, as arguments and as results.
// verdict: FALSE
#include "verifier.h"

struct pair {
  int a, b;
};
struct large {
  int field[8];
};
static struct pair swapped(struct pair p) {
  struct pair q = {p.b, p.a};
  p.a = 99;
  return q;
}
static int changed(struct large l) { return l.field[3]++; }

int main(void) {
  struct pair p = {1, 2};
  struct large l = {{0}};
  if (__VERIFIER_nondet_int() > 3) {
    p = swapped(p);
    l.field[3] = 4;
  }
  // expect: TRUE @+1
  assert(p.a + p.b == 3);
  // expect: FALSE @+1
  assert(p.a == 1);
  int before = changed(l);
  // expect: TRUE @+1
  assert(l.field[3] == before);
  // expect: TRUE @+1
  assert(before == 4 * (p.a == 2));
}
