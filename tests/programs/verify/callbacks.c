// Pointers to functions in a struct, handed over, and changed on the way.
// verdict: FALSE
#include "verifier.h"

struct handler {
  void (*act)(struct handler *);
  int state;
};
static void stop(struct handler *h) { h->state = -1; }
static void advance(struct handler *h) {
  h->state++;
  if (h->state == 2) h->act = stop;
}

int main(void) {
  struct handler h = {advance, 0};
  int n = __VERIFIER_nondet_uchar() % 5;
  for (int i = 0; i < n; i++) h.act(&h);
  // expect: TRUE @+1
  assert(h.state <= 2);
  // expect: TRUE @+1
  assert(n < 3 || h.state == -1);
  // expect: FALSE @+1
  assert(h.state != -1);
  // expect: TRUE @+1
  assert(h.act == stop || n < 2);
}
