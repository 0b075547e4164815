// Leading or trailing zeros of 0: what the instructions of some processors leave open, compilers leave open on all.
// check: assert,other
// exit: 1
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned long long m = __VERIFIER_nondet_ulonglong();
  assert(__builtin_clz(n | 1) < 32 && __builtin_ctzll(m | 1) == 0 && __builtin_ffs(0) == 0);
  if (m > 7) {
    __builtin_assume(m > 6);
    // expect: other @+1
    __builtin_assume(m != 9);
    return __builtin_ctzll(m) == 3;
  }
  if (n < 100)
    // expect: other @+1
    return __builtin_clz(n) == 30;
  // expect: other @+1
  return __builtin_ctzll(m) == 2;
}
