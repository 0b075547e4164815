// The bound is cut to 32 bits when it is kept in an int.
// verdict: TRUE
// inputs:
#include "../task.h"

int main(void) {
  long long wide = 4294967301LL;
  unsigned bound = (unsigned)wide, rounds = 0;
  for (unsigned long long i = 0; i < MUTANT(bound, (unsigned long long)wide - 4294967290LL); i++) rounds++;
  assert(rounds == 5);
  return 0;
}
