// A round that does not count: it may go on for ever, but not past the bound.
// verdict: TRUE
// inputs: 1 1 1 1 1
#include "../task.h"

int main(void) {
  int i = 0, work = 0;
  while (i < 5) {
    if (__VERIFIER_nondet_bool() MUTANT(== 0, == (i != 3))) continue;
    i++;
    work += i;
    assert(work <= 15 MUTANT(, && work != 6));
  }
  return 0;
}
