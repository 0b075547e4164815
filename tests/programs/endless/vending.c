// A vending machine: coins of three kinds, change is given, and nothing is given for less than the price.
// twin: credit >= PRICE => credit >= PRICE - 5
// twin: credit <= 20) credit += 10 => credit <= 25) credit += 10
#include "../verify/verifier.h"

enum { PRICE = 15 };

int main(void) {
  int credit = 0;
  unsigned sold = 0;
  while (1) {
    switch (__VERIFIER_nondet_uchar() % 5) {
    case 0: if (credit <= 20) credit += 5; break;
    case 1: if (credit <= 20) credit += 10; break;
    case 2: if (credit >= PRICE) { credit -= PRICE; sold++; } break;
    case 3: credit = 0; break;
    }
    assert(credit >= 0 && credit <= 30);
    assert(credit % 5 == 0);
  }
}
