// 64-bit arithmetic, also where int and long are 32 bits wide.
// data-model: ILP32
// paths: 1
// exit: 0
#include <assert.h>
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  assert(sizeof(long) == 4 && sizeof(long long) == 8 && sizeof(void *) == 4);
  long long x = __VERIFIER_nondet_longlong();
  unsigned low = (unsigned)x, high = (unsigned)((unsigned long long)x >> 32);
  assert((long long)((unsigned long long)high << 32 | low) == x);
  unsigned a = __VERIFIER_nondet_uint();
  unsigned long long shifted = (unsigned long long)a * 65536u;
  assert(shifted >> 16 == a && (unsigned)shifted == a << 16);
  assert(-7LL / 2 == -3 && -7LL % 2 == -1 && (-7LL >> 1) == -4);
  assert(0x123456789abcdefLL / 1000003 == 81985283260LL);
  return 0;
}
