// Brackets are read until the input says that it is over; then what was counted is looked at.
// twin: depth > 0 => depth >= 0
// twin: most = depth; => most = 0;
#include "../verify/verifier.h"

int main(void) {
  int depth = 0, most = 0;
  unsigned char c;
  while ((c = __VERIFIER_nondet_uchar()) != 0) {
    if (c == '(' && depth < 5) depth++;
    else if (c == ')' && depth > 0) depth--;
    if (depth > most) most = depth;
    assert(depth >= 0 && depth <= most);
  }
  assert(most <= 5);
  assert(depth >= 0);
}
