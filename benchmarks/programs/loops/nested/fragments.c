// A buffer is filled in fragments that fit.
// verdict: TRUE
// inputs: 1 4097
#include "../task.h"

int main(void) {
  int used = 0;
  const int size = 4096;
  while (__VERIFIER_nondet_bool()) {
    int length = __VERIFIER_nondet_int();
    if (length <= 0 || length > size - used MUTANT(, + 1)) continue;
    for (int i = 0; i < length; i++) {
      assert(used >= 0 && used < size);
      used++;
    }
  }
  return 0;
}
