/* An account. Try: clew test examples/withdraw.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void); /* an input: any int */

static int balance = 100;

static int withdraw(int amount) {
  if (amount > balance)
    return 0; /* refused */
  if (amount == 0)
    return 0; /* nothing to do */
  balance -= amount;
  return 1;
}

int main(void) {
  int amount = __VERIFIER_nondet_int();
  if (withdraw(amount))
    assert(balance < 100); /* whoever gets money has less of it in the account */
  else
    assert(balance == 100);
  return 0;
}
