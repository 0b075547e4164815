// A step of zero: only the second guard ends the loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int step = __VERIFIER_nondet_int();
  if (step < -1 || step > 1) return 0;
  int rounds = 0;
  // loop: sound @+1
  for (int i = 0; i < 5; i += step) {
    rounds++;
    if (rounds == 40) {
      // expect: error-call @+1
      if (step == 0) reach_error();
      return 0;
    }
  }
  // uncovered: true @+1
  if (rounds == 6) reach_error();
  return 0;
}
