// An array of any length counts down.
// verdict: TRUE
// inputs: 4
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 100000) return 0;
  int a[n]; int i, j;
  for (i = 0, j = n - 1; i < n; i++, j--) a[j] = i;
  for (i = 0; i < n; i++) __VERIFIER_assert(a[i] == n - 1 - i MUTANT(, || i == 2) MUTANT(, ? n != 4 : 0));
}
