// Bit-fields: signed and unsigned, across bytes, packed beside ordinary members.
// paths: 1
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct flags {
  unsigned low : 3;
  signed int mid : 5;
  unsigned wide : 17;
  unsigned : 0;
  unsigned long long far : 33;
  _Bool yes : 1;
  char plain;
};

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  struct flags f = {0};
  f.low = n;
  f.mid = -3;
  f.wide = n;
  f.far = 0x1ffffffffULL;
  f.yes = 5;
  f.plain = 'p';
  assert(f.low == (n & 7) && f.mid == -3 && f.wide == (n & 0x1ffff));
  f.far++;
  assert(f.far == 0 && f.yes == 1 && f.plain == 'p');
  f.mid = 15;
  f.mid++;
  assert(f.mid == -16 && f.low == (n & 7));
  return 0;
}
