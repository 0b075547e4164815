// Two loops fill two halves with different values.
// verdict: TRUE
// inputs: 500
#include "../task.h"

static char a[1000];

int main(void) {
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(k >= 0 && k < 1000);
  int i = 0;
  while (i < MUTANT(500, 501)) a[i++] = 'x';
  while (i < 1000) a[i++] = 'y';
  assert(a[k] == (k < 500 ? 'x' : 'y'));
  return 0;
}
