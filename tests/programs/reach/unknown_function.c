// A function that is not defined anywhere returns anything; what else it does is not known.
#include "../verify/verifier.h"

extern int mystery(int);
static int state;

int main(void) {
  if (mystery(3) == 4)
    // reach: UNKNOWN line @+1 (depends on what mystery() returns)
    state = 1;
  if (state == 2)
    // reach: UNKNOWN line @+1 (mystery() is called)
    return 1;
  return 0;
}
