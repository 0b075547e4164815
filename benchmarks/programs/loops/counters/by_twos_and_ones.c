// Steps of two upwards, half as many downwards.
// verdict: TRUE
// inputs: 4
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, k = 0, j = 0;
  while (i < n) { i = i + 2; k++; }
  while (j < n / 2) { __VERIFIER_assert(k > MUTANT(0, 1)); j = j + 1; k--; }
}
