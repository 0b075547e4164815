// Elements are dropped from either end; what stays is as long as was not dropped.
// verdict: TRUE
// inputs: 1 0 1 0 1 0
#include "../task.h"

int main(void) {
  int begin = 0, end = 1000, dropped = 0;
  while (begin < end) {
    switch (__VERIFIER_nondet_uchar() % 3) {
      case 0: begin++; dropped++; break;
      case 1: end--; dropped MUTANT(++, += dropped == 2 ? 2 : 1); break;
      default: break;
    }
    assert(end - begin == 1000 - dropped);
    if (__VERIFIER_nondet_bool() && dropped > 500) break;
  }
  return 0;
}
