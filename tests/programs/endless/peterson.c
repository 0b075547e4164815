// Peterson's algorithm, two processes, a step at a time.
// twin: turn = 1 - i; => ;
// twin: if (!flag[1 - i] || turn == i) pc[i] = 3; => pc[i] = 3;
#include "../verify/verifier.h"

static int pc[2], turn;
static _Bool flag[2];

static void step(int i) {
  switch (pc[i]) {
  case 0: flag[i] = 1; pc[i] = 1; break;
  case 1: turn = 1 - i; pc[i] = 2; break;
  case 2: if (!flag[1 - i] || turn == i) pc[i] = 3; break;
  case 3: flag[i] = 0; pc[i] = 0; break;
  }
}

int main(void) {
  for (;;) {
    step(__VERIFIER_nondet_bool());
    assert(pc[0] != 3 || pc[1] != 3);
  }
}
