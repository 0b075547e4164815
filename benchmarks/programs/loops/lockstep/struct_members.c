// The counters are members of a structure behind a pointer.
// verdict: TRUE
// inputs: 2 0
#include "../task.h"

struct stats {
  int sent, received, pending;
};

static void step(struct stats *s, int what) {
  if (what == 1) {
    s->sent++;
    s->pending++;
  } else if (what == 2 && s->pending MUTANT(> 0, >= 0)) {
    s->received++;
    s->pending--;
  }
}

int main(void) {
  struct stats s = {0, 0, 0};
  int what;
  while ((what = __VERIFIER_nondet_int()) != 0) step(&s, what);
  assert(s.pending == s.sent - s.received MUTANT(, && s.pending >= 0));
  return 0;
}
