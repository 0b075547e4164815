// The step is an input, and so is the bound.
// plain: no
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
  unsigned step = __VERIFIER_nondet_uchar();
  unsigned bound = __VERIFIER_nondet_ushort();
  if (step == 0) return 0;
  unsigned i = 0, rounds = 0;
  // loop: sound @+1
  while (i < bound) {
    i += step;
    rounds++;
  }
  if (rounds == 250) {
    if (i == 50000)
      // expect: error-call @+1
      reach_error();
  }
  return 0;
}
