// A counter in Gray code changes one bit at a time.
// verdict: TRUE
// inputs: 0
#include "../task.h"

int main(void) {
  unsigned char n = 0, code = 0;
  while (1) {
    n++;
    unsigned char next = n ^ n >> 1, change = next ^ code;
    assert(change != 0 && (change & (change - 1)) == 0 MUTANT(, && n != 200));
    code = next;
  }
}
