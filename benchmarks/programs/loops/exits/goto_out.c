// A loop of labels and jumps.
// verdict: TRUE
// inputs: 1 1 1 0
#include "../task.h"

int main(void) {
  int x = 0, y = 100;
again:
  if (x >= 50) goto end;
  if (!__VERIFIER_nondet_bool()) goto end;
  x++;
  y -= MUTANT(1, 1 + (x == 3));
  goto again;
end:
  if (x + y != 100) goto ERROR;
  return 0;
ERROR:
  reach_error();
  return 1;
}
