// A majority of votes is more than half.
// verdict: TRUE
// inputs: 1 1 0 0 2
#include "../task.h"

int main(void) {
  unsigned yes = 0, no = 0, total = 0;
  for (;;) {
    unsigned char v = __VERIFIER_nondet_uchar();
    if (v > 1 || total == 60000) break;
    if (v)
      yes++;
    else
      no++;
    total++;
  }
  if (yes > no) assert(2 * yes > total);
  if (no > yes) assert(2 * no > total);
  if (yes == no) assert(total % 2 == 0 MUTANT(, && yes != 2));
  return 0;
}
