// A button that counts as pressed after four equal samples; what is reported alternates.
// twin: count == 4 => count >= 3
// twin: count = 0; // changed => ;
#include "../verify/verifier.h"

int main(void) {
  _Bool last = 0, stable = 0, reported = 0;
  unsigned count = 0, since = 0;
  while (1) {
    _Bool sample = __VERIFIER_nondet_bool();
    if (since < 20) since++;
    if (sample == last) {
      if (count < 4) count++;
    } else {
      last = sample;
      count = 0; // changed
      since = 0;
    }
    if (count == 4 && stable != last) {
      stable = last;
      assert(stable != reported);
      assert(since >= 4);
      reported = stable;
    }
  }
}
