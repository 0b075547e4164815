// Type punning through unions: bytes of integers, bits of floats.
// paths: 1
// exit: 0
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

union word {
  unsigned u;
  unsigned char bytes[4];
  struct { unsigned short low, high; } halves;
  float f;
};

int main(void) {
  union word w;
  w.u = __VERIFIER_nondet_uint();
  unsigned again = w.bytes[0] | (unsigned)w.bytes[1] << 8 | (unsigned)w.bytes[2] << 16 | (unsigned)w.bytes[3] << 24;
  assert(again == w.u);
  assert(w.halves.low == (w.u & 0xffff) && w.halves.high == w.u >> 16);
  unsigned kept = w.u;
  w.bytes[1] = 0x5a;
  assert(w.u == ((kept & 0xffff00ffu) | 0x5a00u));
  w.f = 1.0f;
  assert(w.u == 0x3f800000u);
  w.u = 0xc0200000u;
  assert(w.f == -2.5f);
  return 0;
}
