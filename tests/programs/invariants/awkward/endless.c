// A loop that never ends: what comes after it is never reached.
// says: 0 <= i <= 10
#include "../verifier.h"

int main(void) {
  unsigned i = 0;
  while (1) {
    i += 2;
    if (i > 10) i = 0;
  }
  return 1;
}
