// Guards that change something.
// plain: no
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static unsigned asked;

static unsigned limit(unsigned n) {
  asked += 2;
  return n;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned i = 0, j = 0;
  // loop: sound @+1
  while (i++ < limit(n)) j += 3;
  // expect: error-call @+1
  if (asked == 5000) reach_error();
  // uncovered: true @+1
  if (asked != 2 * i) reach_error();
  // uncovered: true @+1
  if (j != 3 * n) reach_error();
  return 0;
}
