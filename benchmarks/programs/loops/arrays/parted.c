// Elements go to one of two arrays by their sign.
// verdict: TRUE
// inputs: 5 -1
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define N 1000
int main(void) {
  int aa[N], bb[N], cc[N]; int a = 0, b = 0, c = 0, x;
  for (a = 0; a < N; a++) aa[a] = __VERIFIER_nondet_int();
  a = 0;
  while (a < N) { if (aa[a] >= 0) { bb[b] = aa[a]; b = b + 1; } else { cc[c] = aa[a]; c = c + 1; } a = a + 1; }
  for (x = 0; x < b; x++) __VERIFIER_assert(bb[x] >= 0);
  for (x = 0; x < c; x++) __VERIFIER_assert(cc[x] < MUTANT(0, -1));
}
