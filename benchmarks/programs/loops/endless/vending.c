// A vending machine gives goods for coins only.
// verdict: TRUE
// inputs: 1 3
#include "../task.h"

int main(void) {
  unsigned credit = 0;
  int sold = 0;
  while (1) {
    unsigned e = __VERIFIER_nondet_uint();
    sold = 0;
    if (e == 1 && credit < 10) credit += 1;
    if (e == 2 && credit < 10) credit += 2;
    if (e == 3 && credit >= MUTANT(2, 1)) {
      credit -= 2;
      sold = 1;
    }
    if (e == 4) credit = 0;
    assert(credit <= 11 && (!sold || credit < 10));
  }
}
