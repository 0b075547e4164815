// One iteration divides by zero, for inputs that let it come to that.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_ushort(), at = __VERIFIER_nondet_ushort();
  int i = 0, share = 0;
  while (i < n) {
    // expect: division-by-zero @+1
    share = 1000 / (at - i);
    i++;
  }
  // expect: error-call @+1
  if (i == 3000) reach_error();
  return 0;
}
