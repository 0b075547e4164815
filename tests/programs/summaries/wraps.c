// The variable may pass the end of its type on the way to the bound.
// plain: no
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned char from = __VERIFIER_nondet_uchar();
  unsigned char to = __VERIFIER_nondet_uchar();
  unsigned rounds = 0;
  // loop: sound @+1
  for (unsigned char i = from; i != to; i++) rounds++;
  if (from > to) {
    if (rounds == 250)
      // expect: error-call @+1
      reach_error();
  }
  // uncovered: true @+1
  if (rounds > 255) reach_error();
  return 0;
}
