// switch: fall-through, ranges, default in the middle, negative labels, 64-bit values.
// exit: 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern long long __VERIFIER_nondet_longlong(void);

static int kind(int x) {
  int r = 0;
  switch (x) {
  case -1: r += 1;
  case 0: r += 2; break;
  default: r = 9; break;
  case 10 ... 20: r = 5; break;
  case 1000000: r = 6;
  }
  return r;
}

static int wide(long long x) {
  switch (x) {
  case 0x100000000LL: return 1;
  case -0x100000000LL: return 2;
  default: return 0;
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = kind(x);
  if (x == -1) assert(r == 3);
  else if (x == 0) assert(r == 2);
  else if (x >= 10 && x <= 20) assert(r == 5);
  else if (x == 1000000) assert(r == 6);
  else assert(r == 9);
  long long y = __VERIFIER_nondet_longlong();
  assert((wide(y) == 1) == (y == 4294967296LL));
  return 0;
}
