// SV-COMP's conventions: assumptions cut inputs off, reach_error is the bug.
// exit: 1
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 10 && x < 20);
  __VERIFIER_assume(y == x + 1);
  if (y == 11)
    reach_error();
  if (y == 15)
    // expect: error-call @+1
    reach_error();
  return 0;
}
