// A sum of what is counted is no induction variable.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 63, sum = 0;
  for (unsigned i = 0; i < n; i++) sum += i;
  // expect: error-call @+1
  if (sum == 820) reach_error();
  // uncovered: true @+1
  if (sum == 821) reach_error();
  return 0;
}
