// Days of a week by remainder and by reset are the same.
// verdict: TRUE
// inputs: 7
#include "../task.h"

int main(void) {
  unsigned days = __VERIFIER_nondet_uint();
  unsigned weekday = 0;
  for (unsigned d = 0; d != days; d++) {
    weekday = weekday == MUTANT(6, 7) ? 0 : weekday + 1;
    assert(weekday < 7);
  }
  return 0;
}
