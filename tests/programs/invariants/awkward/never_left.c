// A loop whose end would need a number that is never there.
// says: false: never reached
#include "../verifier.h"

int main(void) {
  int x = 0;
  while (x != 11) {
    x++;
    if (x > 9) x = 0;
  }
  return x;
}
