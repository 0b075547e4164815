// Loops that run once or twice.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int once = 0, twice = 0;
  do {
    // loop: none @+1 (never ran for three iterations)
    once++;
    if (once == 2) break;
  } while (once < n);
  // loop: none @+1 (at most 2 times)
  for (int i = 0; i < 2; i++)
    if (n > i) twice++;
  // expect: error-call @+1
  if (twice == 1) reach_error();
  // uncovered: true @+1
  if (once == 3) reach_error();
  return 0;
}
