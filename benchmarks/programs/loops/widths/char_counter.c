// A char that counts to a bound within its range.
// verdict: TRUE
// inputs: 127
#include "../task.h"

int main(void) {
  signed char n = __VERIFIER_nondet_schar();
  int rounds = 0;
  if (n < 0) return 0;
  for (signed char c = 0; c < n; c++) rounds++;
  assert(rounds == n MUTANT(, && rounds < 127));
  return 0;
}
