// A queue by its two ends, which only ever move on.
// verdict: TRUE
// MUTANT: FALSE
// WRAPS: not TRUE
#include "../verifier.h"

int main(void) {
#ifdef WRAPS
  unsigned char head = 0, tail = 0;
#else
  long head = 0, tail = 0;
#endif
  int length = 0;
  for (unsigned i = 0; i < 4000000000u; i++) {
    if (__VERIFIER_nondet_bool()) {
      if (length < 16) {
        tail++;
        length++;
      }
#ifdef MUTANT
    } else if (length >= 0) {
#else
    } else if (length > 0) {
#endif
      head++;
      length--;
    }
    assert(head <= tail);
    assert(tail - head == length && length <= 16);
  }
}
