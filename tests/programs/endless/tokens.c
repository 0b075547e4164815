// A token goes round among four stations, and only who has it may send; it may be lost, and is made anew.
// twin: holder = -1; // lost => ;
// twin: silence == 6 && holder < 0 => silence == 3
#include "../verify/verifier.h"

static _Bool has[4];

int main(void) {
  int holder = 0, silence = 0;
  has[0] = 1;
  while (1) {
    unsigned char what = __VERIFIER_nondet_uchar() & 3;
    if (silence < 6) silence++;
    if (holder >= 0 && what == 0) { // pass it on
      has[holder] = 0;
      holder = (holder + 1) & 3;
      has[holder] = 1;
      silence = 0;
    } else if (holder >= 0 && what == 1) {
      has[holder] = 0;
      holder = -1; // lost
    } else if (silence == 6 && holder < 0) {
      has[2] = 1;
      holder = 2;
      silence = 0;
    }
    assert(has[0] + has[1] + has[2] + has[3] <= 1);
    assert(holder < 0 || has[holder]);
  }
}
