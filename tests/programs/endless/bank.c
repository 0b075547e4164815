// Two accounts and transfers between them: money is neither made nor lost.
// twin: from += 10; => from += 20;
// twin: if (from >= 10) => if (1)
#include "../verify/verifier.h"

int main(void) {
  int from = 50, to = 50;
  while (__VERIFIER_nondet_bool()) {
    _Bool there = __VERIFIER_nondet_bool();
    if (there) {
      if (from >= 10) { from -= 10; to += 10; }
    } else if (to >= 10) {
      to -= 10;
      from += 10;
    }
    assert(from >= 0 && to >= 0);
    assert(from + to == 100);
  }
}
