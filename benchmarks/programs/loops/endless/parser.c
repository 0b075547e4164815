// Brackets: depth up to four, and an error state that stays.
// verdict: TRUE
// inputs: 40*5
#include "../task.h"

int main(void) {
  int depth = 0, bad = 0;
  while (1) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (bad) {
      depth = 0;
      continue;
    }
    if (c == '(' && ++depth > MUTANT(4, 5)) bad = 1;
    if (c == ')' && --depth < 0) bad = 1;
    assert(bad || (depth >= 0 && depth <= 4));
  }
}
