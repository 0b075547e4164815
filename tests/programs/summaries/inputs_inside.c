// Every iteration reads an input.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 7, high = 0;
  for (unsigned i = 0; i < n; i++)
    if (__VERIFIER_nondet_uchar() > 99) high++;
  // expect: error-call @+1
  if (n == 6 && high == 5) reach_error();
  // uncovered: true @+1
  if (high > n) reach_error();
  return 0;
}
