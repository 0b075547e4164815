// Money moves between two accounts through pointers; none is made.
// verdict: TRUE
// MUTANT: FALSE
#include "../verifier.h"

static long first, second;

static void move(long *from, long *to, long amount) {
  if (amount < 0 || amount > *from) return;
  *from -= amount;
#ifdef MUTANT
  if (from == to) return;
#endif
  *to += amount;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  long all = (long)a + b;
  first = a;
  second = b;
  while (__VERIFIER_nondet_bool()) {
    long amount = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_bool())
      move(&first, &second, amount);
    else
#ifdef MUTANT
      move(&second, &second, amount);
#else
      move(&second, &first, amount);
#endif
    assert(first + second == all);
  }
}
