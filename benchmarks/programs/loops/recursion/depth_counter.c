// A global counter of depth is back at zero in the end.
// verdict: TRUE
// inputs: 1 1 0
#include "../task.h"

static int depth, deepest;

static void descend(void) {
  depth++;
  if (depth > deepest) deepest = depth;
  if (depth < 1000 && __VERIFIER_nondet_bool()) descend();
  MUTANT(depth--;, if (deepest != 3 || depth != 2) depth--;)
}

int main(void) {
  descend();
  assert(depth == 0 && deepest >= 1);
  return 0;
}
