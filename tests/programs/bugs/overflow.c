// check: assert,overflow
// exit: 1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 0)
    // expect: signed-overflow @+1
    a = -a;
  unsigned u = (unsigned)a + 4000000000u; /* wraps, as unsigned numbers may */
  return u == 3;
}
