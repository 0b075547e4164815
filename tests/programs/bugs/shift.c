// check: assert,shift
// exit: 1
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned fine = 1u << (n & 31);
  // expect: shift @+1
  return (int)(fine & 1u << n) == 1;
}
