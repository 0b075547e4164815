// Two guards: either may be the first to end the loop, after any number of iterations.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned m = __VERIFIER_nondet_ushort();
  unsigned i = 0, money = m;
  // loop: sound @+1
  while (i < n) {
    if (money < 4) break;
    money -= 4;
    i++;
  }
  if (i == 700) {
    if (money == 2)
      // expect: error-call @+1
      reach_error();
  }
  // uncovered: true @+1
  if (i > n) reach_error();
  return 0;
}
