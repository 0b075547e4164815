// A loop made of goto, that can be entered in the middle.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 31;
  unsigned i = 0, extra = 0;
  if (n & 1) goto middle;
again:
  extra += 2;
middle:
  i++;
  if (i < n) goto again;
  // expect: error-call @+1
  if (extra == 40 && i == 21) reach_error();
  // uncovered: true @+1
  if (extra == 64) reach_error();
  return 0;
}
