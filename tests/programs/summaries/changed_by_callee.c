// A function changes what the loop counts with, through a pointer, in some iterations.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void touch(unsigned *place, unsigned at) {
  if (*place == at) *place += 10;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 31, at = __VERIFIER_nondet_uchar() & 28;
  unsigned i = 0, rounds = 0;
  while (i < n) {
    touch(&i, at);
    i++;
    rounds++;
  }
  // expect: error-call @+1
  if (i == 27 && rounds == 17) reach_error();
  // uncovered: true @+1
  if (i > n + 10) reach_error();
  return 0;
}
