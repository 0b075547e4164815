// An array is written, one element too far for some inputs.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  int table[8] = {0};
  int n = __VERIFIER_nondet_uchar() & 15, skip = __VERIFIER_nondet_uchar() & 3;
  for (int i = 0; i < n; i++)
    // expect: out-of-bounds @+1
    table[i] = i + skip;
  // expect: error-call @+1
  if (table[5] == 8) reach_error();
  // uncovered: true @+1
  if (table[5] == 9) reach_error();
  return 0;
}
