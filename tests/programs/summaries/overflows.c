// Signed overflow after many iterations.
// plain: no
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int sum = 2000000000;
  for (int i = 0; i < n; i++) {
    // expect: signed-overflow @+1
    sum += 1000;
  }
  return 0;
}
