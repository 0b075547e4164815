// Deposits and withdrawals that are covered: the balance is never below zero.
// verdict: TRUE
// inputs: 1 10 2 10 0
#include "../task.h"

int main(void) {
  long balance = 0;
  for (int day = 0; day < 10000; day++) {
    unsigned char kind = __VERIFIER_nondet_uchar();
    if (kind == 0) break;
    unsigned char amount = __VERIFIER_nondet_uchar();
    if (kind == 1)
      balance += amount;
    else if (kind == 2 && balance >= amount)
      balance -= amount;
    assert(balance >= 0);
    MUTANT(, assert(day != 1 || kind != 2 || amount == 0 || balance != 0));
  }
  return 0;
}
