// A counter that grows for ever, beside one that follows it.
// verdict: TRUE
// inputs: 1 1 1
#include "../task.h"

int main(void) {
  unsigned asked = 0, answered = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) {
      asked++;
      answered MUTANT(= asked, += asked == 3 ? 2 : 1);
    }
    assert(asked == answered);
  }
}
