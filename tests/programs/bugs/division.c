// check: assert,div
// exit: 1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b < 0 || a < 0)
    return 0;
  // expect: division-by-zero @+1
  return a / b == 7;
}
