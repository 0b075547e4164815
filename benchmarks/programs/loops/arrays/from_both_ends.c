// An array is filled from both ends.
// verdict: TRUE
// inputs: 0
#include "../task.h"

static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: reach_error();
  }
}

#define SIZE 1000000
int a[SIZE];
int main(void) {
  int i = 0, j = SIZE - 1;
  while (i < j) { a[i] = i; a[j] = SIZE - 1 - j; i++; j--; }
  for (i = 0; i < SIZE / 2; i++) __VERIFIER_assert(a[i] == a[SIZE - 1 - i] MUTANT(, && i < 400000));
}
