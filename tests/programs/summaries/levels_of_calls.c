// Loops on every level of a recursive function.
// plain: no
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned sum(unsigned n) {
  unsigned t = 0;
  for (unsigned i = 0; i < n; i++) t++;
  return n == 0 ? 0 : t + sum(n - 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 15;
  unsigned t = sum(n);
  // expect: error-call @+1
  if (t == 66) reach_error();
  // uncovered: true @+1
  if (t == 67) reach_error();
  return 0;
}
