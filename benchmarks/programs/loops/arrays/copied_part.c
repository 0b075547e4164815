// A part of an array, of any length, is copied.
// verdict: TRUE
// inputs: 0*10 1 2 0*1988 5
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define N 1000
int main(void) {
  int a1[N], a2[N], a; 
  for (a = 0; a < N; a++) { a1[a] = __VERIFIER_nondet_int(); a2[a] = __VERIFIER_nondet_int(); }
  int i, x, n = __VERIFIER_nondet_int();
  if (!(0 <= n && n < N)) return 0;
  for (i = 0; i < n; i++) a2[i] = a1[i];
  for (x = 0; x < n MUTANT(, + 1); x++) { __VERIFIER_assert(a1[x] == a2[x]); }
  return 0;
}
