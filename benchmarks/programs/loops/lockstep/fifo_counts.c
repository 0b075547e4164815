// Head and tail of a queue: what is in it is what came and did not go.
// verdict: TRUE
// inputs: 1 1 2 2 2 0
#include "../task.h"

int main(void) {
  unsigned head = 0, tail = 0, size = 0;
  int e;
  while ((e = __VERIFIER_nondet_int()) != 0) {
    if (e == 1 && size < 16) {
      head = (head + 1) % 16;
      size++;
    }
    if (e == 2 && MUTANT(size > 0, head >= tail)) {
      tail = (tail + 1) % 16;
      size--;
    }
    assert(size <= 16 && (head - tail) % 16 == size % 16);
  }
  return 0;
}
