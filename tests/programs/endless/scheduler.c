// Three tasks that share a lock, run in turn; nobody ever reads the clock.
// twin: && lock == FREE =>
// twin: running[i] = 0; => ;
#include "../verify/verifier.h"

enum { FREE = -1 };

static _Bool ready[3], running[3];
static int lock = FREE;
static unsigned ticks;

static void run(int i) {
  if (running[i]) {
    assert(lock == i);
    if (__VERIFIER_nondet_bool()) {
      running[i] = 0;
      lock = FREE;
    }
  } else if (ready[i] && lock == FREE) {
    lock = i;
    running[i] = 1;
    ready[i] = 0;
  }
}

int main(void) {
  int next = 0;
  while (1) {
    ticks++;
    for (int i = 0; i < 3; i++)
      if (__VERIFIER_nondet_bool()) ready[i] = 1;
    run(next);
    next = (next + 1) % 3;
    assert(running[0] + running[1] + running[2] <= 1);
  }
}
